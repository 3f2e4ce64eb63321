import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Conversation } from './corpus.ts'

/**
 * Reads the files of the field's benchmarks as their authors publish them:
 * - LoCoMo (Maharana et al. 2024), `locomo10.json`: ten conversations of two people, with questions about turns;
 * - LongMemEval (Wu et al. 2024), `longmemeval_s.json` and its like: a history of sessions for each question;
 * - ConvoMem (Pakhomov et al. 2025), `core_benchmark/evidence_questions/…/*.json` or a folder of them: conversations for each question.
 * Questions that name no evidence are left out.
 * @returns undefined for a file or folder in none of these forms
 */
export async function readPublished(path: string): Promise<Conversation[] | undefined> {
  const files = (await stat(path)).isDirectory() ? await jsonFilesBelow(path) : [path]
  const all: Conversation[] = []
  for (const file of files) {
    const read = conversationsOf(JSON.parse(await readFile(file, 'utf8')), file)
    if (!read) return undefined
    all.push(...read.map(one => ({ ...one, questions: one.questions.filter(({ evidence }) => evidence.length > 0) })))
  }
  return all.filter(({ questions }) => questions.length > 0)
}

/** Takes `count` questions, evenly over the conversations that each have one; those that have many are kept whole. */
export function sampled(conversations: Conversation[], count: number): Conversation[] {
  const step = conversations.length / count
  if (step <= 1) return conversations
  return Array.from({ length: count }, (_, n) => conversations[Math.floor(n * step)]).filter(one => one !== undefined)
}

async function jsonFilesBelow(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true })
  return names
    .filter(name => name.endsWith('.json'))
    .sort()
    .map(name => join(folder, name))
}

function conversationsOf(content: unknown, file: string): Conversation[] | undefined {
  if (isLoCoMo(content)) return content.map(fromLoCoMo)
  if (isLongMemEval(content)) return content.map(fromLongMemEval)
  if (isConvoMem(content)) return content.evidence_items.map((item, n) => fromConvoMem(item, file, n))
  return undefined
}

interface LoCoMo {
  readonly sample_id: string
  /** `session_N` holds turns, `session_N_date_time` when they were. */
  readonly conversation: Readonly<Record<string, unknown>>
  readonly qa: readonly { question: string; category: number; evidence?: readonly string[] }[]
}

interface LoCoMoTurn {
  readonly dia_id: string
  readonly speaker: string
  readonly text: string
  readonly blip_caption?: string
}

function isLoCoMo(content: unknown): content is LoCoMo[] {
  return Array.isArray(content) && content.every(one => isObject(one) && isObject(one.conversation) && one.qa)
}

const LOCOMO_CATEGORIES = ['', 'multi-hop', 'temporal', 'open-domain', 'single-hop', 'adversarial']

function fromLoCoMo({ sample_id, conversation, qa }: LoCoMo): Conversation {
  const sessions = Object.keys(conversation).filter(key => /^session_\d+$/.test(key))
  const turns = sessions.flatMap(session =>
    (conversation[session] as readonly LoCoMoTurn[]).map(({ dia_id, speaker, text, blip_caption }) => ({
      id: dia_id,
      session,
      date: String(conversation[`${session}_date_time`] ?? ''),
      text: `${speaker}: ${text}${blip_caption ? ` [${blip_caption}]` : ''}`,
    })),
  )
  const known = new Set(turns.map(({ id }) => id))
  const questions = qa.map(({ question, category, evidence = [] }) => ({
    question,
    category: `${category} ${LOCOMO_CATEGORIES[category] ?? ''}`,
    // Some cite several turns in one string, or with zeros before the number, or none that is there.
    evidence: evidence
      .flatMap(cited => [...cited.matchAll(/D(\d+):(\d+)/g)].map(([, day, turn]) => `D${Number(day)}:${Number(turn)}`))
      .filter(id => known.has(id)),
  }))
  return { name: sample_id, turns, questions }
}

interface LongMemEval {
  readonly question_id: string
  readonly question_type: string
  readonly question: string
  readonly haystack_dates: readonly string[]
  readonly haystack_session_ids: readonly string[]
  readonly haystack_sessions: readonly (readonly { role: string; content: string; has_answer?: boolean }[])[]
  readonly answer_session_ids: readonly string[]
}

function isLongMemEval(content: unknown): content is LongMemEval[] {
  return Array.isArray(content) && content.every(one => isObject(one) && Array.isArray(one.haystack_sessions))
}

function fromLongMemEval(item: LongMemEval): Conversation {
  const answers = new Set(item.answer_session_ids)
  const turns = item.haystack_sessions.flatMap((session, n) =>
    session.map(({ role, content, has_answer }, place) => ({
      id: `${item.haystack_session_ids[n]}:${place}`,
      session: item.haystack_session_ids[n] ?? '',
      date: item.haystack_dates[n] ?? '',
      text: `${role}: ${content}`,
      isEvidence: has_answer === true,
    })),
  )
  const inAnswers = turns.filter(({ session }) => answers.has(session))
  const marked = inAnswers.filter(({ isEvidence }) => isEvidence)
  const question = {
    question: item.question,
    category: item.question_type + (item.question_id.endsWith('_abs') ? ' (abstention)' : ''),
    evidence: (marked.length > 0 ? marked : inAnswers).map(({ id }) => id),
    sessions: item.answer_session_ids,
  }
  return { name: item.question_id, turns, questions: [question] }
}

interface ConvoMem {
  readonly category?: string
  readonly question: string
  readonly message_evidences: readonly { text: string }[]
  readonly conversations: readonly { id: string; messages: readonly { speaker: string; text: string }[] }[]
}

function isConvoMem(content: unknown): content is { evidence_items: ConvoMem[] } {
  return isObject(content) && Array.isArray(content.evidence_items)
}

function fromConvoMem({ question, category, message_evidences, conversations }: ConvoMem, file: string, n: number) {
  const cited = new Set(message_evidences.map(({ text }) => text.trim()))
  const messages = conversations.flatMap(({ id, messages }) =>
    messages.map(({ speaker, text }, place) => ({ id: `${id}:${place}`, session: id, text, speaker })),
  )
  return {
    name: `${basename(file, '.json')}-${n}`,
    turns: messages.map(({ id, session, speaker, text }) => ({ id, session, text: `${speaker}: ${text}` })),
    questions: [
      { question, category, evidence: messages.filter(({ text }) => cited.has(text.trim())).map(({ id }) => id) },
    ],
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
