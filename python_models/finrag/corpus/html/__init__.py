"""10-Ks as EDGAR holds them, in HTML with or without inline XBRL: lines, items, what the cover says."""
