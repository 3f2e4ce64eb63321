import {
  BOSS_CHANGE,
  BOSS_FIRST,
  CHATTER,
  HOME_FIRST,
  HOME_LATE,
  HOME_MOVE,
  JOB_AGAIN,
  JOB_CHANGE,
  JOB_END,
  JOB_FIRST,
  JOB_LATE,
  PEOPLE,
  POOLS,
  SPOUSE_END,
  SPOUSE_FIRST,
  TASTE_END,
  TASTE_FIRST,
  TOOL_CHANGE,
  TOOL_FIRST,
  type Topic,
  type Wordings,
} from './wordings.ts'

/**
 * Life stories with what is true after each sentence. Written as people write notes and messages, in several wordings for the
 * same event, before any of it was read by the service. Seeded: the same stories at every run.
 */

/** What is the case after a sentence, of one topic. */
export interface State {
  readonly holds: readonly string[]
  /** Held once and holds no more. */
  readonly ended: readonly string[]
}

export interface Told {
  readonly text: string
  /** The topic that the sentence is about; undefined for one that changes nothing. */
  readonly topic: Topic | undefined
  readonly after: Readonly<Partial<Record<Topic, State>>>
}

export interface Story {
  readonly userId: string
  /** The name of the one it is about; undefined where the user speaks of himself. */
  readonly person: string | undefined
  readonly told: readonly Told[]
}

type Random = () => number

/** Mulberry32: small, and the same everywhere. */
function seeded(seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

export function makeStories(users: number, steps: number): Story[] {
  return Array.from({ length: users }, (_, n) => {
    const random = seeded(1_000 + n)
    const person = n % 3 === 2 ? PEOPLE[n % PEOPLE.length] : undefined
    return new Teller(`story-${n}`, person, random).tell(steps)
  })
}

class Teller {
  readonly #states = new Map<Topic, State>()
  readonly #told: Told[] = []

  constructor(
    readonly userId: string,
    readonly person: string | undefined,
    readonly random: Random,
  ) {}

  tell(steps: number): Story {
    const topics: Topic[] = ['home', 'job', this.#pick(['spouse', 'boss', 'taste', 'tool'] as const)]
    for (const topic of topics) this.#begin(topic)
    while (this.#told.length < steps) {
      if (this.random() < 0.1) this.#say(this.#pick(CHATTER), undefined)
      else this.#change(this.#pick(topics))
    }
    return { userId: this.userId, person: this.person, told: this.#told }
  }

  #begin(topic: Topic): void {
    const first = {
      home: HOME_FIRST,
      job: JOB_FIRST,
      spouse: SPOUSE_FIRST,
      boss: BOSS_FIRST,
      taste: TASTE_FIRST,
      tool: TOOL_FIRST,
    }
    const begun = this.#fresh(topic)
    this.#states.set(topic, { holds: [begun], ended: [] })
    this.#put(first[topic], topic, begun, '')
  }

  #change(topic: Topic): void {
    const { holds, ended } = this.#states.get(topic) ?? { holds: [], ended: [] }
    const old = holds[0]
    const dice = this.random()
    if ((topic === 'home' || topic === 'job') && dice < 0.15) {
      const former = this.#fresh(topic)
      this.#states.set(topic, { holds, ended: [...ended, former] })
      this.#put(topic === 'home' ? HOME_LATE : JOB_LATE, topic, former, '')
    } else if (topic === 'job' && old === undefined && ended.length > 0 && dice < 0.6) {
      const again = this.#pick(ended)
      this.#states.set(topic, { holds: [again], ended: ended.filter(one => one !== again) })
      this.#put(JOB_AGAIN, topic, again, '')
    } else if (old !== undefined && (topic === 'taste' || topic === 'spouse' || (topic === 'job' && dice < 0.4))) {
      this.#states.set(topic, { holds: [], ended: [...ended, old] })
      this.#put(topic === 'taste' ? TASTE_END : topic === 'spouse' ? SPOUSE_END : JOB_END, topic, '', old)
    } else if (old === undefined) {
      const begun = this.#fresh(topic)
      this.#states.set(topic, { holds: [begun], ended })
      const wordings = {
        home: HOME_FIRST,
        job: JOB_FIRST,
        spouse: SPOUSE_FIRST,
        boss: BOSS_FIRST,
        taste: TASTE_FIRST,
        tool: TOOL_FIRST,
      }
      this.#put(wordings[topic], topic, begun, '')
    } else {
      const begun = this.#fresh(topic)
      this.#states.set(topic, { holds: [begun], ended: [...ended, old] })
      const wordings = {
        home: HOME_MOVE,
        job: JOB_CHANGE,
        boss: BOSS_CHANGE,
        tool: TOOL_CHANGE,
        spouse: SPOUSE_FIRST,
        taste: TASTE_FIRST,
      }
      this.#put(wordings[topic], topic, begun, old)
    }
  }

  #put(wordings: Wordings, topic: Topic, begun: string, old: string): void {
    const wording = this.#pick(this.person === undefined ? wordings.own : wordings.other)
    const text = wording
      .replaceAll('{n}', this.person ?? '')
      .replaceAll('{x}', begun)
      .replaceAll('{o}', old)
    this.#say(text, topic)
  }

  #say(text: string, topic: Topic | undefined): void {
    this.#told.push({ text, topic, after: Object.fromEntries(this.#states) })
  }

  /** Something of the topic that the story has not had. */
  #fresh(topic: Topic): string {
    const { holds = [], ended = [] } = this.#states.get(topic) ?? {}
    return this.#pick(POOLS[topic].filter(one => !holds.includes(one) && !ended.includes(one)))
  }

  #pick<T>(items: readonly T[]): T {
    const item = items[Math.floor(this.random() * items.length)]
    if (item === undefined) throw new Error('a story has run out of things to tell')
    return item
  }
}
