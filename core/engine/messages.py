"""The messages between the window and the engine; `message_bytes.py` writes and reads them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from coterie.core.api.frame import Frame
from coterie.core.model.arrays import Array


@dataclass(frozen=True, kw_only=True)
class Message:
    """Base of all messages; `job` is the number of the job it is about, 0 for none."""

    job: int = 0


# To the engine ---------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Request(Message):
    """Work for the engine, which gets exactly one answer; `use` is what errors call it."""

    use: str


@dataclass(frozen=True, kw_only=True)
class Order(Request):
    """A step to be worked on.

    Attributes
    ----------
    use : the method, as "kind/id"
    inputs : keys
    path : what a reader opens, or where a writer writes
    key : what the result is to be published under; empty when only the engine can know, as of a
        reader, whose key depends on the bytes of its file
    again : compute it although its result is there, to watch it
    """

    params: dict[str, Any] = field(default_factory=dict)
    inputs: list[str] = field(default_factory=list)
    seed: int = 0
    path: str = ""
    key: str = ""
    again: bool = False


@dataclass(frozen=True, kw_only=True)
class Estimate(Order):
    """Say what a step would take."""


@dataclass(frozen=True, kw_only=True)
class Run(Order):
    """Run a step and publish its result in the workspace, at a speed as in `Speed`."""

    frames_per_second: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Preview(Order):
    """Run a step on at most `items` of its items and send the main array back, unpublished.

    A reader answers with the first lines of its file.
    """

    items: int = 500


@dataclass(frozen=True, kw_only=True)
class Certify(Request):
    """Say whether items, by position, are a dominant set of the similarities under a key.

    Items that are a group of the `result` under a key are tested as what `method` says of them,
    with its `params` and the `inputs` under other keys.
    """

    use: str = "engine/certify"
    affinity: str
    items: list[int]
    result: str = ""
    method: str = ""
    params: dict[str, Any] = field(default_factory=dict)
    inputs: list[str] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class SceneRequest(Request):
    """Apply the fitted steps of a recipe to the pixels of a scene.

    Attributes
    ----------
    scene : path of the scene
    reader, reader_params : how it is opened
    methods : the methods to apply in order, the classifier last
    models : the key of the model of each method; empty for a method without one
    columns : the bands that the first model was fitted to; empty when that is not known
    truth : path of a mask of known classes; empty for none
    truth_array : which array of an .npz file the mask is
    truth_classes : what the values of the mask mean, as "4 = cloud, 1 = water"
    """

    scene: str
    reader: str
    reader_params: dict[str, Any] = field(default_factory=dict)
    methods: list[str] = field(default_factory=list)
    models: list[str] = field(default_factory=list)
    columns: list[str] = field(default_factory=list)
    truth: str = ""
    truth_array: str = ""
    truth_classes: str = ""


@dataclass(frozen=True, kw_only=True)
class Classify(SceneRequest):
    """Classify a whole scene and write the map.

    Attributes
    ----------
    target : path of the map to write
    merge : each "class = group, group"
    colours : of classes by name, as "#rrggbb"
    errors : path of a raster of errors to write as well; needs a truth; empty for none
    errors_of : the known class whose errors are written; empty for all
    uncertainty : whether a second map says how uncertain each pixel is, if the classifier can
    """

    use: str = "engine/classify"
    target: str
    uncertainty: bool = True
    merge: list[str] = field(default_factory=list)
    colours: dict[str, str] = field(default_factory=dict)
    errors: str = ""
    errors_of: str = ""


@dataclass(frozen=True, kw_only=True)
class Label(Request):
    """Label the rows of a table, or of the tables of a folder, and write a CSV.

    Attributes
    ----------
    path : the table or folder
    reader, reader_params : how the data of the project are opened
    whole_folder : whether that reader takes a folder as one data set
    methods : the methods to apply in order, the last of which gives groups
    models : the key of the model of each method; empty for a method without one
    source : key of the data that the first model was fitted to, as they were opened
    groups : key of the groups of the last step, for their names; empty for none
    target : path of the file to write
    columns : "all" to write the columns of the table as well
    """

    use: str = "engine/label"
    path: str
    reader: str
    reader_params: dict[str, Any] = field(default_factory=dict)
    whole_folder: bool = False
    methods: list[str] = field(default_factory=list)
    models: list[str] = field(default_factory=list)
    source: str = ""
    groups: str = ""
    target: str = ""
    columns: str = ""


@dataclass(frozen=True, kw_only=True)
class Judge(SceneRequest):
    """Compare the classes of a scene with a truth and publish the error matrix.

    Attributes
    ----------
    sample : key of the dataset that was learnt from; empty when that is of another scene
    at_most : how many pixels to compare; 0 for all
    seed : chooses those pixels
    """

    use: str = "engine/judge"
    sample: str = ""
    at_most: int = 0
    seed: int = 0


@dataclass(frozen=True, kw_only=True)
class Pause(Message):
    """Hold the running job."""


@dataclass(frozen=True, kw_only=True)
class Resume(Message):
    """Let a held job go on."""


@dataclass(frozen=True, kw_only=True)
class StepOnce(Message):
    """Let a held job do one more iteration."""


@dataclass(frozen=True, kw_only=True)
class Speed(Message):
    """Slow the job down to so many iterations a second; 0 is full speed."""

    frames_per_second: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Cancel(Message):
    """Stop the job, politely."""


# From the engine -------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class CatalogueMessage(Message):
    """The catalogue as JSON."""

    catalogue: dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Estimated(Message):
    """What a step would take, and whether it fits."""

    bytes: int
    seconds: float
    fits: bool
    alternatives: list[str] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class Previewed(Message):
    """The main array of a preview, and which items it is about."""

    arrays: dict[str, Array] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class PreviewedTable(Message):
    """The first lines of a file as a reader takes them: a `TablePreview` as JSON."""

    table: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Certified(Message):
    """What holds of a set of items: a `SetCertificate` as JSON."""

    certificate: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Started(Message):
    """The job has begun."""


@dataclass(frozen=True, kw_only=True)
class Progress(Message):
    """How far the job is, from 0 to 1."""

    done: float
    message: str = ""


@dataclass(frozen=True, kw_only=True)
class FrameMessage(Message):
    """A live picture of the job; only the newest matters."""

    frame: Frame


@dataclass(frozen=True, kw_only=True)
class Event(Message):
    """Something happened that must not be missed."""

    name: str
    details: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Finished(Message):
    """The result is in the workspace."""

    key: str
    type: str
    parts: dict[str, str] = field(default_factory=dict)
    seconds: float = 0.0
    cached: bool = False
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class Failed(Message):
    """The job ended with an error: one sentence for people, the traceback for authors.

    `code` is the kind of error (`core/error_codes.py`); `offer` are methods that would help, as
    "kind/id".
    """

    error: str
    traceback: str = ""
    kind: str = ""
    code: str = ""
    offer: list[str] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class CancelledMessage(Message):
    """The job was stopped; `killed` if it had to be."""

    killed: bool = False


@dataclass(frozen=True, kw_only=True)
class LogMessage(Message):
    """A line that a plugin printed, or that the engine wants to be known."""

    text: str


@dataclass(frozen=True, kw_only=True)
class EngineState(Message):
    """The state of the engine process itself: starting, ready, restarting, stopped."""

    state: str
    reason: str = ""


MESSAGES: dict[str, type[Message]] = {
    kind.__name__: kind
    for kind in (
        Estimate,
        Run,
        Preview,
        Certify,
        Classify,
        Judge,
        Label,
        Pause,
        Resume,
        StepOnce,
        Speed,
        Cancel,
        CatalogueMessage,
        Estimated,
        Previewed,
        PreviewedTable,
        Certified,
        Started,
        Progress,
        FrameMessage,
        Event,
        Finished,
        Failed,
        CancelledMessage,
        LogMessage,
        EngineState,
    )
}

NEWEST_WINS = (FrameMessage, Progress)
ENDINGS = (Finished, Failed, CancelledMessage)
ANSWERS = (*ENDINGS, Estimated, Previewed, PreviewedTable, Certified)
