import { type Database, type EmbeddedPassage, finish, type Tx } from 'mneme/plugin'
import { v7 } from 'uuid'
import type { MemoryFilter } from '../../../memories/contract.ts'
import { analyze } from '../../analysis/analyze.ts'
import { readTraits } from '../../analysis/traits.ts'
import { planQuery } from '../../query/plan.ts'
import type { CandidateSet, EngineQuery, SearchDocument, SearchEngine } from '../engine.ts'

/** The engine and database that a suite runs on. */
export interface EngineWorld {
  readonly engine: SearchEngine
  readonly database: Database
}

/** Vectors in tests are short, because an engine must not depend on a model's dimensions. */
const MODEL = 32_000

export interface Text {
  readonly text: string
  readonly vector?: readonly number[]
  /** The vectors of its passages, of which each has ten characters. */
  readonly passages?: readonly (readonly number[])[]
  readonly fields?: Partial<Omit<SearchDocument, 'workspaceId' | 'digest'>>
  /** The text replaces the same text, whose vectors stay. */
  readonly isSame?: boolean
}

export interface Question {
  readonly mode?: 'hybrid' | 'keyword'
  readonly vector?: readonly number[]
  readonly floor?: number
  readonly filter?: MemoryFilter
  readonly model?: number
}

/** A workspace whose tests refer to memories by their texts. */
export class Corpus {
  private constructor(
    private readonly world: EngineWorld,
    readonly workspaceId: string = v7(),
    private readonly texts = new Map<string, string>(),
  ) {}

  static async of(world: EngineWorld, ...texts: readonly (string | Text)[]): Promise<Corpus> {
    const corpus = new Corpus(world)
    await corpus.add(...texts)
    return corpus
  }

  /** Returns the same workspace through another engine on its database. */
  in(world: EngineWorld): Corpus {
    return new Corpus(world, this.workspaceId, this.texts)
  }

  /** Adds memories. @returns their ids in order */
  async add(...texts: readonly (string | Text)[]): Promise<string[]> {
    const given = texts.map(text => (typeof text === 'string' ? { text } : text))
    const documents = given.map(text => this.#document(text))
    const sameText = new Set(documents.filter((_, index) => given[index]?.isSame).map(({ memoryId }) => memoryId))
    const vectors = new Map<string, Float32Array>()
    const passages = new Map<string, readonly EmbeddedPassage[]>()
    for (const [index, { vector, passages: parts }] of given.entries()) {
      const id = documents[index]?.memoryId
      if (vector && id) vectors.set(id, unit(vector))
      if (parts && id) passages.set(id, parts.map(passageAt))
    }
    await this.write(async (tx, engine) => {
      await engine.index(tx, documents, sameText)
      await engine.setEmbeddings(tx, this.workspaceId, MODEL, vectors)
      await engine.setPassages(tx, this.workspaceId, MODEL, passages)
    })
    return documents.map(document => document.memoryId)
  }

  async remove(...texts: readonly string[]): Promise<void> {
    await this.write((tx, engine) => engine.remove(tx, this.workspaceId, this.idsOf(...texts)))
  }

  idsOf(...texts: readonly string[]): string[] {
    return [...this.texts].filter(([, text]) => texts.includes(text)).map(([id]) => id)
  }

  textOf(id: string): string {
    return this.texts.get(id) ?? `unknown ${id}`
  }

  write<T>(work: (tx: Parameters<Parameters<Database['workspace']>[1]>[0], engine: SearchEngine) => Promise<T>) {
    return this.world.database.workspace(this.workspaceId, tx => work(tx, this.world.engine))
  }

  query(
    text: string,
    { mode = 'hybrid', vector, floor = 0.2, filter = {}, model = MODEL }: Question = {},
  ): EngineQuery {
    const plan = planQuery({ query: text, mode })
    return {
      workspaceId: this.workspaceId,
      match: plan.match,
      query: plan.query,
      terms: plan.terms,
      filter,
      ...(vector ? { vector: { model, values: unit(vector), floor } } : {}),
    }
  }

  async candidates(text: string, question?: Question): Promise<CandidateSet> {
    const query = await this.proposed(this.query(text, question))
    return this.write((tx, engine) => engine.candidates(tx, query))
  }

  /** Asks a remote index, as a search does before its transaction. */
  async proposed(query: EngineQuery): Promise<EngineQuery> {
    const proposal = await this.world.engine.propose?.(query, work => this.read(work))
    return proposal ? { ...query, proposal } : query
  }

  /** Runs a transaction that changes nothing. */
  read<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.world.database.workspace(this.workspaceId, work)
  }

  /** Returns the found texts in alphabetical order, because an engine's own order has no meaning. */
  async found(text: string, question?: Question): Promise<string[]> {
    const { candidates } = await this.candidates(text, question)
    return candidates.map(candidate => this.textOf(candidate.memoryId)).sort()
  }

  #document({ text, fields = {} }: Text): SearchDocument {
    const memoryId = fields.memoryId ?? v7()
    this.texts.set(memoryId, text)
    return {
      workspaceId: this.workspaceId,
      memoryId,
      userId: 'ada',
      agentId: null,
      sessionId: null,
      priority: 'MEDIUM',
      categories: [],
      metadata: null,
      createdAt: new Date('2026-03-01T12:00:00.000Z'),
      expiresAt: null,
      saidAt: null,
      standing: null,
      happenedAt: null,
      traits: readTraits(text),
      ...fields,
      digest: finish(this.world.engine.digest(this.workspaceId, analyze(text))),
    }
  }
}

function passageAt(vector: readonly number[], index: number): EmbeddedPassage {
  return { start: 10 * index, end: 10 * (index + 1), vector: unit(vector) }
}

function unit(values: readonly number[]): Float32Array {
  const length = Math.hypot(...values)
  return Float32Array.from(values, value => value / length)
}
