GENERATOR_VERSION="1"
DemoCorpus=ensure=generate=None
