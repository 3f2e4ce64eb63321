import { DEPTH, measure, ranksOf } from '../../plugins/search/evaluation/evaluate.ts'
import type { Conversation } from '../retrieval/corpus.ts'
import type { Asked } from '../retrieval/report.ts'
import type { TextEmbedder } from '../retrieval/vectors.ts'
import { serveEmbeddings } from './embedding-endpoint.ts'
import { startMem0 } from './mem0-process.ts'

/** Stores all texts in mem0, in an empty database on that server, and asks it all questions. */
export async function askMem0(
  nativeServer: string,
  conversations: readonly Conversation[],
  embedder: TextEmbedder,
): Promise<Asked[]> {
  const { url, dimensions } = await serveEmbeddings(embedder)
  const mem0 = await startMem0(nativeServer, url, dimensions)
  for (const { name, turns } of conversations) await mem0.add(name, turns)
  const asked: Asked[] = []
  for (const { name, questions } of conversations) {
    for (const { question, category, evidence } of questions) {
      const { ids: found } = await mem0.search(name, question, DEPTH)
      const measures = measure(ranksOf(found, evidence))
      asked.push({ file: name, category: category === undefined ? undefined : String(category), found, measures })
    }
  }
  return asked
}
