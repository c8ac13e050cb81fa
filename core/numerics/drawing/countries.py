"""Where countries are: their middles in degrees, for pictures of the world without a network.

The table is our own, to about a degree: enough to see where on the globe a country lies.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from coterie.core.model.arrays import Floats

# Name, latitude, longitude, and other names in use.
_TABLE = """
Afghanistan|34|66
Albania|41|20
Algeria|28|3
Angola|-12|18
Argentina|-35|-65
Armenia|40|45
Australia|-25|134
Austria|47|14
Azerbaijan|40|48
Bahamas|24|-76|The Bahamas
Bahrain|26|50
Bangladesh|24|90
Barbados|13|-60
Belarus|53|28
Belgium|51|4
Belize|17|-89
Benin|10|2
Bhutan|27|90
Bolivia|-17|-65|Plurinational State of Bolivia
Bosnia and Herzegovina|44|18|Bosnia
Botswana|-22|24
Brazil|-10|-52
Brunei|4|115|Brunei Darussalam
Bulgaria|43|25
Burkina Faso|12|-2
Burundi|-3|30
Cambodia|13|105
Cameroon|6|12
Canada|60|-100
Cape Verde|16|-24|Cabo Verde
Central African Republic|7|21
Chad|15|19
Chile|-33|-71
China|35|103|People's Republic of China
Colombia|4|-73
Comoros|-12|43
Congo|-1|15|Republic of the Congo;Congo, Rep.
Costa Rica|10|-84
Croatia|45|16
Cuba|22|-79
Cyprus|35|33
Czech Republic|50|15|Czechia
Democratic Republic of the Congo|-3|23|DR Congo;Congo, Dem. Rep.;Zaire
Denmark|56|10
Djibouti|12|43
Dominican Republic|19|-70|Dominican Rep.
Ecuador|-2|-78
Egypt|27|30|Egypt, Arab Rep.
El Salvador|14|-89
Equatorial Guinea|2|10
Eritrea|15|39
Estonia|59|26
Ethiopia|9|39
Fiji|-18|178
Finland|64|26
France|47|2
French Guiana|4|-53
Gabon|-1|12
Gambia|13|-15|The Gambia
Georgia|42|44
Germany|51|10
Ghana|8|-1
Greece|39|22
Greenland|72|-40
Guatemala|15|-90
Guinea|11|-10
Guinea-Bissau|12|-15
Guyana|5|-59
Haiti|19|-72
Honduras|15|-87
Hong Kong|22|114|China, Hong Kong Special Administrative Region;Hong Kong SAR
Hungary|47|20
Iceland|65|-18
India|22|79
Indonesia|-3|118
Iran|32|53|Iran (Islamic Republic of);Islamic Republic of Iran
Iraq|33|44
Ireland|53|-8
Israel|31|35
Italy|43|12
Ivory Coast|8|-6|Cote d'Ivoire;Cote dIvoire
Jamaica|18|-77
Japan|36|138
Jordan|31|36
Kazakhstan|48|67
Kenya|1|38
Kosovo|43|21
Kuwait|29|48
Kyrgyzstan|41|75|Kyrgyz Republic
Laos|18|105|Lao People's Democratic Republic;Lao PDR
Latvia|57|25
Lebanon|34|36
Lesotho|-30|28
Liberia|6|-9
Libya|27|17|Libyan Arab Jamahiriya
Lithuania|55|24
Luxembourg|50|6
Macao|22|113|China, Macao Special Administrative Region;Macau
Madagascar|-20|47
Malawi|-13|34
Malaysia|3|112
Maldives|3|73
Mali|17|-4
Malta|36|14
Mauritania|20|-10
Mauritius|-20|58
Mexico|23|-102
Moldova|47|29|Republic of Moldova
Mongolia|46|105
Montenegro|43|19
Morocco|32|-6
Mozambique|-18|35
Myanmar|22|96|Burma
Namibia|-22|17
Nepal|28|84
Netherlands|52|6|Holland;The Netherlands
New Caledonia|-21|165
New Zealand|-42|173
Nicaragua|13|-85
Niger|17|9
Nigeria|9|8
North Korea|40|127|Dem. People's Republic of Korea
North Macedonia|42|22|Macedonia
Norway|62|10
Oman|21|57
Pakistan|30|70
Palestine|32|35|State of Palestine
Panama|9|-80
Papua New Guinea|-6|144
Paraguay|-23|-58
Peru|-10|-75
Philippines|12|122
Poland|52|20
Portugal|39|-8
Puerto Rico|18|-66
Qatar|25|51
Reunion|-21|55
Romania|46|25
Russia|60|95|Russian Federation
Rwanda|-2|30
Saudi Arabia|24|45
Senegal|14|-14
Serbia|44|21
Sierra Leone|8|-12
Singapore|1|104
Slovakia|49|20|Slovak Republic
Slovenia|46|15
Solomon Islands|-9|160
Somalia|6|46
South Africa|-30|25
South Korea|36|128|Republic of Korea;Korea, Rep.
South Sudan|7|30
Spain|40|-4
Sri Lanka|7|81
Sudan|15|30
Suriname|4|-56
Swaziland|-26|31|Eswatini
Sweden|62|16
Switzerland|47|8
Syria|35|38|Syrian Arab Republic
Taiwan|24|121
Tajikistan|39|71
Tanzania|-6|35|United Republic of Tanzania
Thailand|15|101
Timor-Leste|-9|126|East Timor
Togo|8|1
Tonga|-20|-175
Trinidad and Tobago|10|-61
Tunisia|34|9
Turkey|39|35|Türkiye
Turkmenistan|39|59
Uganda|1|32
Ukraine|49|31
United Arab Emirates|24|54|UAE
United Kingdom|54|-2|UK;Great Britain
United States|39|-98|USA;United States of America;US
Uruguay|-33|-56
Uzbekistan|41|64
Vanuatu|-16|167
Venezuela|7|-66|Bolivarian Republic of Venezuela
Vietnam|16|107|Viet Nam
Western Sahara|24|-13
Yemen|15|48
Zambia|-14|27
Zimbabwe|-19|30
"""


def places_of(names: Sequence[str]) -> Floats:
    """Return longitude and latitude (n, 2) of each name in degrees, not a number where unknown.

    Case, accents and punctuation do not matter.

    >>> places_of(["Norway", "Atlantis"]).tolist()
    [[10.0, 62.0], [nan, nan]]
    """
    known = _places()
    nowhere = (float("nan"), float("nan"))
    return np.array([known.get(_plain(name), nowhere) for name in names], dtype=np.float64).reshape(
        -1, 2
    )


def all_places() -> Floats:
    """Return longitude and latitude of every country there is in the table."""
    return np.array(sorted(set(_places().values())), dtype=np.float64)


@lru_cache(maxsize=1)
def _places() -> dict[str, tuple[float, float]]:
    found = {}
    for line in _TABLE.strip().splitlines():
        name, latitude, longitude, *others = line.split("|")
        place = (float(longitude), float(latitude))
        aliases = others[0].split(";") if others else []
        for one in (name, *aliases):
            found[_plain(one)] = place
    return found


def _plain(name: str) -> str:
    """Letters and digits alone, small and without accents."""
    bare = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return "".join(letter for letter in bare.casefold() if letter.isalnum())
