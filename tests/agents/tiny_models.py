"""Tiny vision-language models with random weights, built from their configuration, offline.

What they say means nothing; that they say it through the real classes of transformers, with the
real processors and chat templates, is what the tests need.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import (
    CLIPImageProcessor,
    CLIPVisionConfig,
    Idefics3Config,
    Idefics3ForConditionalGeneration,
    Idefics3ImageProcessor,
    Idefics3Processor,
    LlamaConfig,
    LlamaForCausalLM,
    LlavaConfig,
    LlavaForConditionalGeneration,
    LlavaProcessor,
    PreTrainedTokenizerFast,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n"
    "{% for part in message['content'] %}"
    "{% if part['type'] == 'image' %}<image>{% else %}{{ part['text'] }}{% endif %}"
    "{% endfor %}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
_WORDS = (
    "Image 1: Image 2: Which way did the agent move? Answer with one word: forward, backward, "
    "left, right. How far is the chair from the table, in steps? The sofa is behind the lamp."
)
_SIDE = 32


def _tokenizer(*more: str) -> Any:
    bpe = Tokenizer(models.BPE())
    bpe.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    bpe.decoder = decoders.ByteLevel()
    special = ["<pad>", "<|im_start|>", "<|im_end|>", "<image>", *more]
    trainer = trainers.BpeTrainer(
        vocab_size=400,
        special_tokens=special,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    bpe.train_from_iterator([_WORDS], trainer)
    return PreTrainedTokenizerFast(
        tokenizer_object=bpe,
        pad_token="<pad>",
        eos_token="<|im_end|>",
        additional_special_tokens=["<|im_start|>", "<image>", *more],
    )


def _text_config(tokenizer: Any) -> dict[str, Any]:
    return {
        "vocab_size": len(tokenizer),
        "hidden_size": 32,
        "intermediate_size": 64,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "num_key_value_heads": 2,
        "max_position_embeddings": 4096,
        "pad_token_id": tokenizer.pad_token_id,
        "eos_token_id": tokenizer.eos_token_id,
        "bos_token_id": None,
    }


_EYE = {
    "hidden_size": 32,
    "intermediate_size": 64,
    "num_hidden_layers": 1,
    "num_attention_heads": 2,
    "image_size": _SIDE,
    "patch_size": 8,
}


def llava(folder: Path, *, seed: int = 0) -> Path:
    """Write a model of the LLaVA family; return its folder."""
    torch.manual_seed(seed)
    tokenizer = _tokenizer()
    config = LlavaConfig(
        vision_config=CLIPVisionConfig(**_EYE, projection_dim=32),
        text_config=LlamaConfig(**_text_config(tokenizer)),
        image_token_index=tokenizer.convert_tokens_to_ids("<image>"),
        vision_feature_layer=-1,
    )
    side = {"height": _SIDE, "width": _SIDE}
    processor = LlavaProcessor(
        image_processor=CLIPImageProcessor(size={"shortest_edge": _SIDE}, crop_size=side),
        tokenizer=tokenizer,
        patch_size=8,
        vision_feature_select_strategy="default",
        num_additional_image_tokens=1,
        chat_template=TEMPLATE,
    )
    return _saved(LlavaForConditionalGeneration(config), processor, folder)


def smolvlm(folder: Path, *, seed: int = 0) -> Path:
    """Write a model of the SmolVLM family (Idefics3); return its folder."""
    torch.manual_seed(seed)
    tokenizer = _tokenizer(
        "<fake_token_around_image>", "<end_of_utterance>", "<global-img>", "<row_1_col_1>"
    )
    config = Idefics3Config(
        vision_config=_EYE,
        text_config={"model_type": "llama", **_text_config(tokenizer)},
        image_token_id=tokenizer.convert_tokens_to_ids("<image>"),
        scale_factor=2,
        pad_token_id=tokenizer.pad_token_id,
    )
    processor = Idefics3Processor(
        image_processor=Idefics3ImageProcessor(
            do_image_splitting=False,
            size={"longest_edge": _SIDE},
            max_image_size={"longest_edge": _SIDE},
        ),
        tokenizer=tokenizer,
        image_seq_len=4,
        chat_template=TEMPLATE,
    )
    return _saved(Idefics3ForConditionalGeneration(config), processor, folder)


def words_only(folder: Path) -> Path:
    """Write a language model that takes no pictures; return its folder."""
    tokenizer = _tokenizer()
    tokenizer.chat_template = TEMPLATE
    LlamaForCausalLM(LlamaConfig(**_text_config(tokenizer))).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def _saved(model: Any, processor: Any, folder: Path) -> Path:
    # Spread the likelihoods, so that pictures and words change the answer.
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(8.0 if parameter.ndim > 1 else 1.0)
    model.generation_config.eos_token_id = processor.tokenizer.eos_token_id
    model.generation_config.pad_token_id = processor.tokenizer.pad_token_id
    model.save_pretrained(folder)
    processor.save_pretrained(folder)
    return folder


FAMILIES: dict[str, Callable[..., Path]] = {"llava": llava, "smolvlm": smolvlm}
