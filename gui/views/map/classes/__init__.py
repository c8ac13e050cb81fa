"""The classes of a map: groups named, coloured and merged."""
