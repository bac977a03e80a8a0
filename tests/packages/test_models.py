"""Models of mlx-vlm, mlx-whisper, mlx-audio and mlx-embeddings, small and random; a loss of mlx-lm-lora."""

import numpy as np
import pytest
import scipy.signal

import mlx.core as mx

rng = np.random.default_rng(0)


@pytest.fixture(autouse=True)
def seed():
    mx.random.seed(0)


def close(got, want, tolerance=1e-4):
    np.testing.assert_allclose(np.array(got), np.array(want), rtol=tolerance, atol=tolerance)


# Vision and language ----------------------------------------------------------------------------------------

IMAGE, GRID = 90, mx.array([[1, 4, 4]])


def vision_model():
    from mlx_vlm.models.qwen2_vl import Model, ModelConfig, TextConfig, VisionConfig

    rope = {"type": "mrope", "mrope_section": [2, 3, 3]}
    text = TextConfig("qwen2_vl", 64, 2, 128, 4, 1e-6, 128, num_key_value_heads=2, rope_scaling=rope)
    vision = VisionConfig(depth=2, embed_dim=32, hidden_size=64, num_heads=2, image_size=56)
    config = ModelConfig(text, vision, "qwen2_vl", image_token_id=IMAGE, video_token_id=91, vocab_size=128)
    model = Model(config)
    model.eval()
    return model


def vision_inputs():
    ids = mx.array([[1, 2, 92, *[IMAGE] * 4, 3, 4]])
    return ids, mx.random.normal((16, 3 * 2 * 14 * 14))


def test_vlm_sees_the_image():
    model = vision_model()
    ids, pixels = vision_inputs()
    first, second = (model(ids, p, image_grid_thw=GRID).logits for p in (pixels, -pixels))
    assert first.shape == (1, 9, 128) and mx.isfinite(first).all().item()
    close(first[:, :3], second[:, :3])
    assert mx.abs(first[:, 3:] - second[:, 3:]).max().item() > 1e-3


def test_vlm_generates_as_the_whole_says():
    from mlx_vlm.models.cache import make_prompt_cache

    model = vision_model()
    ids, pixels = vision_inputs()
    cache = make_prompt_cache(model.language_model)
    logits, whole = model(ids, pixels, cache=cache, image_grid_thw=GRID).logits, ids
    for _ in range(4):
        token = mx.argmax(logits[:, -1:], axis=-1)
        whole = mx.concatenate([whole, token], axis=1)
        logits = model(token, cache=cache).logits
        model.language_model._rope_deltas, kept = None, model.language_model._rope_deltas
        close(logits[:, -1], model(whole, pixels, image_grid_thw=GRID).logits[:, -1], 2e-3)
        model.language_model._rope_deltas = kept


# Audio ------------------------------------------------------------------------------------------------------


def whisper():
    from mlx_whisper.whisper import ModelDimensions, Whisper

    model = Whisper(ModelDimensions(80, 1500, 32, 2, 2, 51865, 64, 32, 2, 2), dtype=mx.float32)
    mx.eval(model.parameters())
    return model


def spectrogram():
    from mlx_whisper.audio import log_mel_spectrogram, pad_or_trim

    tone = np.sin(2 * np.pi * 440 * np.arange(16000) / 16000).astype(np.float32)
    return pad_or_trim(log_mel_spectrogram(tone, padding=480000), 3000, axis=-2)


def test_whisper_cache_gives_the_whole():
    model, tokens = whisper(), mx.array([[50258, 50259, 50359, 50363, 100]])
    features = model.embed_audio(spectrogram()[None])
    whole = model.logits(tokens, features)
    cache, steps = None, []
    for i in range(tokens.shape[1]):
        logits, cache, _ = model.decoder(tokens[:, i : i + 1], features, kv_cache=cache)
        steps.append(logits)
    close(mx.concatenate(steps, axis=1), whole)


def test_whisper_spectrogram_against_scipy():
    from mlx_whisper.audio import log_mel_spectrogram, mel_filters

    audio = rng.normal(size=16000).astype(np.float32) * 0.1
    frames = np.lib.stride_tricks.sliding_window_view(np.pad(audio, 200, mode="reflect"), 400)[::160]
    power = np.abs(np.fft.rfft(frames * scipy.signal.get_window("hann", 400))) ** 2
    decibel = np.log10(np.maximum(power[:-1] @ np.array(mel_filters(80)).T, 1e-10))
    close(log_mel_spectrogram(audio), (np.maximum(decibel, decibel.max() - 8) + 4) / 4, 1e-3)


@pytest.mark.parametrize("options", [{}, {"temperature": 0.7, "best_of": 2}], ids=["greedy", "sampled"])
def test_whisper_decodes(options):
    from mlx_whisper.decoding import DecodingOptions, decode

    options |= {"language": "en", "fp16": False, "sample_len": 12, "without_timestamps": True}
    result = decode(whisper(), spectrogram(), DecodingOptions(**options))
    assert 0 < len(result.tokens) <= 12 and np.isfinite(result.avg_logprob)


def test_audio_stft_round_trip():
    from mlx_audio import dsp

    audio = mx.array(rng.normal(size=8000).astype(np.float32))
    sizes = {"hop_length": 128, "win_length": 512, "window": dsp.hanning(512, periodic=True)}
    spectrum = dsp.stft(audio, n_fft=512, **sizes)
    back = dsp.istft(spectrum.swapaxes(0, 1), length=8000, normalized=True, **sizes)
    close(back[256:-256], audio[256:-256])
    assert dsp.compute_fbank_kaldi(audio, 16000, 400, 160, 40, dither=0.0).shape == (48, 40)


def test_audio_codec():
    from mlx_audio.codec.models.snac import SNAC

    model = SNAC(24000, 8, [2, 4], None, 32, [4, 2], None, 16, 4, [2, 1], noise=False)
    codes = model.encode(mx.random.normal((1, 1, 512)))
    assert [code.shape for code in codes] == [(1, 32), (1, 64)]
    assert all(0 <= code.min().item() and code.max().item() < 16 for code in codes)
    audio = model.decode(codes)
    # Three more than went in: it passes the number of groups where the amount of output padding is expected.
    assert audio.shape == (1, 515, 1) and mx.isfinite(audio).all().item()


def test_audio_recognizer():
    from mlx_audio.stt.models.wav2vec.wav2vec import ModelConfig, Wav2Vec2Model

    config = ModelConfig(hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=64)
    config.conv_dim, config.num_conv_pos_embeddings, config.num_conv_pos_embedding_groups = (16,) * 7, 16, 2
    model = Wav2Vec2Model(config)
    model.eval()
    out = model(mx.random.normal((1, 8000)))
    hidden = out.last_hidden_state if hasattr(out, "last_hidden_state") else out[0]
    assert hidden.shape == (1, 24, 32) and mx.isfinite(hidden).all().item()


# Embeddings -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["bert", "xlm_roberta"])
def test_embeddings_ignore_padding(name):
    import importlib

    module = importlib.import_module(f"mlx_embeddings.models.{name}")
    sizes = {"num_hidden_layers": 2, "num_attention_heads": 4, "hidden_size": 32, "intermediate_size": 64}
    sizes |= {"max_position_embeddings": 64, "vocab_size": 100, "model_type": name}
    model = module.Model(module.ModelArgs.from_dict(sizes))
    model.eval()
    ids = mx.array([[5, 6, 7, 8]])
    padded, mask = mx.pad(ids, [(0, 0), (0, 4)], constant_values=1), mx.array([[1] * 4 + [0] * 4])
    want = model(ids, attention_mask=mx.ones((1, 4), mx.int32)).text_embeds
    got = model(padded, attention_mask=mask).text_embeds
    assert want.shape == (1, 32)
    close(mx.linalg.norm(want), 1.0)
    close(got, want, 1e-3)


# Preference training ----------------------------------------------------------------------------------------


def test_lora_loss():
    from mlx_lm_lora.trainer.dpo_trainer import dpo_loss

    chosen, rejected, masks = mx.array([-1.0, -2.0]), mx.array([-1.5, -1.5]), [mx.ones((2, 4))] * 2
    loss = dpo_loss(chosen, rejected, chosen, rejected, *masks, beta=0.1, delta=0.0, loss_type="sigmoid")[0]
    close(loss, np.log(2.0))
