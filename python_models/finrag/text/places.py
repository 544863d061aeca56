"""Places that are written in more ways than one."""

from __future__ import annotations

# Postal codes of the states by their names in lower case.
STATES = dict(
    reversed(pair.split(":"))
    for pair in """
    AL:alabama AK:alaska AZ:arizona AR:arkansas CA:california CO:colorado CT:connecticut DE:delaware FL:florida
    GA:georgia HI:hawaii ID:idaho IL:illinois IN:indiana IA:iowa KS:kansas KY:kentucky LA:louisiana ME:maine MD:maryland
    MA:massachusetts MI:michigan MN:minnesota MS:mississippi MO:missouri MT:montana NE:nebraska NV:nevada
    NH:new_hampshire NJ:new_jersey NM:new_mexico NY:new_york NC:north_carolina ND:north_dakota OH:ohio OK:oklahoma
    OR:oregon PA:pennsylvania RI:rhode_island SC:south_carolina SD:south_dakota TN:tennessee TX:texas UT:utah VT:vermont
    VA:virginia WA:washington WV:west_virginia WI:wisconsin WY:wyoming
    """.replace("_", "\0").split()
)
STATES = {name.replace("\0", " "): code for name, code in STATES.items()}
