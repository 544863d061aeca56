"""The twelve fictional companies, in order of CIK."""

from __future__ import annotations

from finrag.demo.profile import Profile
from finrag.demo.profiles import (
    copperpot,
    fernhollow,
    harrowgate,
    larkspur_vane,
    nimbrel,
    orthevia,
    pinemarsh,
    quillon,
    skyfennel,
    tarnwick,
    velmora,
    wrenlight,
)

PROFILES: tuple[Profile, ...] = tuple(
    sorted(
        (
            module.PROFILE
            for module in (
                copperpot,
                fernhollow,
                harrowgate,
                larkspur_vane,
                nimbrel,
                orthevia,
                pinemarsh,
                quillon,
                skyfennel,
                tarnwick,
                velmora,
                wrenlight,
            )
        ),
        key=lambda profile: profile.cik,
    )
)
