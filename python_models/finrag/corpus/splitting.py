SPLITTER_VERSION = "stub"
def split_sentences(t):
    import re
    return [s for s in re.split(r"(?<=[.])\s+", t) if s.strip()]
