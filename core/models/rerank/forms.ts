import { parseJson } from '../http/post-json.ts'

/**
 * A form of `/rerank` that servers take. Cohere, Jina, vLLM, llama.cpp, Infinity and Voyage take `documents`; Text Embeddings
 * Inference takes `texts`, at most 32 of them unless it was started with more.
 */
export interface RerankForm {
  readonly textsMax: number
  body(model: string | undefined, query: string, texts: readonly string[]): object
}

/**
 * The number of results is left to the servers, each of which has another name for it and gives all of them without it.
 * https://docs.cohere.com/reference/rerank, https://api.jina.ai/redoc, https://docs.vllm.ai/en/latest/serving/,
 * https://huggingface.co/docs/text-embeddings-inference, https://docs.voyageai.com/reference/reranker-api
 */
export const FORMS: readonly RerankForm[] = [
  {
    textsMax: Number.POSITIVE_INFINITY,
    body: (model, query, documents) => ({ ...(model ? { model } : {}), query, documents }),
  },
  { textsMax: 32, body: (_, query, texts) => ({ query, texts, truncate: true }) },
]

export interface ReadScores {
  readonly scores: readonly number[]
  /** Undefined where the endpoint does not count. */
  readonly tokens: number | undefined
}

/** Returns undefined when the text is not a complete response for `count` texts: each must have one finite score. */
export function readScores(text: string, count: number): ReadScores | undefined {
  const body = parseJson(text)
  const { results, data, usage } = Object(body)
  const items: unknown = Array.isArray(body) ? body : (results ?? data)
  if (!Array.isArray(items) || items.length !== count) return undefined
  const scores = new Map<number, number>()
  for (const item of items) {
    const { index, relevance_score, score = relevance_score } = Object(item)
    if (!Number.isInteger(index) || index < 0 || index >= count || !Number.isFinite(score)) return undefined
    scores.set(index, score)
  }
  if (scores.size !== count) return undefined
  const tokens: unknown = Object(usage).total_tokens
  return {
    scores: Array.from({ length: count }, (_, index) => scores.get(index) ?? 0),
    tokens: Number.isSafeInteger(tokens) && Number(tokens) > 0 ? Number(tokens) : undefined,
  }
}
