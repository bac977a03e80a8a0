"""mlx-lm's command `evaluate` on tasks of our own, one of each of lm-eval's kinds, against sums made here."""

import json
import math

import pytest
from mlx_lm import load, stream_generate

import mlx.core as mx
import mlx.nn as nn

pytest.importorskip("lm_eval", reason="the command evaluates with this package")

ENDINGS = [" of", " the", " software", " in", " a", " is", " object", " to"]
COMMON = """
task: {name}
dataset_path: json
dataset_kwargs: {{data_files: {{test: {name}.jsonl}}}}
test_split: test
doc_to_text: "{{{{text}}}}"
doc_to_target: "{{{{answer}}}}"
target_delimiter: ""
"""
KINDS = {
    "choice": 'output_type: multiple_choice\ndoc_to_choice: "{{choices}}"\nmetric_list: [{metric: acc}]\n',
    "rolling": "output_type: loglikelihood_rolling\nmetric_list: [{metric: bits_per_byte}]\n",
    "until": "output_type: generate_until\nmetric_list: [{metric: exact_match}]\n"
    "generation_kwargs: {until: [<never>], max_gen_toks: 6, do_sample: false}\n",
}


def log_probability(model, ids, known):
    """Of the tokens behind the known ones."""
    logits = model(mx.array(ids[:-1])[None])[0, known - 1 :].astype(mx.float32)
    return mx.sum(nn.log_softmax(logits)[mx.arange(len(ids) - known), mx.array(ids[known:])]).item()


def choice(model, tokenizer, texts):
    """Rows of which the model gets two of three right, and that share."""
    rows = []
    for i, text in enumerate(texts):
        context = text.split(".")[0].rstrip()
        known = len(tokenizer.encode(context))
        scores = [log_probability(model, tokenizer.encode(context + ending), known) for ending in ENDINGS]
        best = scores.index(max(scores))
        rows.append({"text": context, "choices": ENDINGS, "answer": best if i % 3 else (best + 1) % 8})
    return rows, 2 / 3


def rolling(model, tokenizer, texts):
    """Texts, and the bits that a byte of them takes; mlx-lm holds a text's first token for known."""
    bits = -sum(log_probability(model, tokenizer.encode(text), 1) for text in texts) / math.log(2)
    return [{"text": "", "answer": text} for text in texts], bits / sum(len(text.encode()) for text in texts)


def until(model, tokenizer, texts):
    """Prompts with the greedy text of each alone, one of them with another, and the share of the others."""
    rows = []
    for text in texts:
        parts = stream_generate(model, tokenizer, text, max_tokens=6)
        rows.append({"text": text, "answer": "".join(part.text for part in parts)})
    rows[0]["answer"] = "not what comes"
    return rows, 1 - 1 / len(rows)


@pytest.mark.parametrize("name, batch", [("base", 1), ("base", 5), ("4bit", 5)])
def test_evaluate(command, small, name, batch):
    model, tokenizer = load(str(small / name))
    lines = (small / "data/test.jsonl").read_text().splitlines()
    texts = [text for text in (json.loads(line)["text"] for line in lines) if text[0].isalpha()][:12]
    expected = {}
    for make in (choice, rolling, until):
        kind = make.__name__
        rows, expected[kind] = make(model, tokenizer, texts)
        (small / f"{kind}.yaml").write_text(COMMON.format(name=kind) + KINDS[kind])
        (small / f"{kind}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    out = f"evaluated-{name}-{batch}"
    options = ["--no-apply-chat-template", "--batch-size", batch, "--output-dir", out]
    command("evaluate", "--model", name, *options, "--tasks", *(f"{kind}.yaml" for kind in KINDS))
    (file,) = (small / out).iterdir()
    results = json.loads(file.read_text())
    got = {
        "choice": results["choice"]["acc,none"],
        "rolling": results["rolling"]["bits_per_byte,none"],
        "until": results["until"]["exact_match,none"],
    }
    assert got == pytest.approx(expected, rel=1e-4)
