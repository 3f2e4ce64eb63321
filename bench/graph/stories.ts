import { CHATTER, PEOPLE, POOLS, type Topic, type WordingSet, type Wordings } from './wordings.ts'

/** Life stories with what is true after each sentence. Seeded: the same stories at every run. */

/** This holds after a sentence, of one topic. */
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

export function makeStories(users: number, steps: number, set: WordingSet): Story[] {
  return Array.from({ length: users }, (_, n) => {
    const random = seeded(1_000 + n)
    const person = n % 3 === 2 ? PEOPLE[n % PEOPLE.length] : undefined
    return new Teller(`story-${n}`, person, random, set).tell(steps)
  })
}

class Teller {
  readonly #states = new Map<Topic, State>()
  readonly #told: Told[] = []

  constructor(
    readonly userId: string,
    readonly person: string | undefined,
    readonly random: Random,
    readonly set: WordingSet,
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
    const begun = this.#fresh(topic)
    this.#states.set(topic, { holds: [begun], ended: [] })
    this.#put(this.set.begins[topic], topic, begun, '')
  }

  #change(topic: Topic): void {
    const { holds, ended } = this.#states.get(topic) ?? { holds: [], ended: [] }
    const { begins, changes, ends, again, late } = this.set
    const old = holds[0]
    const dice = this.random()
    if ((topic === 'home' || topic === 'job') && dice < 0.15) {
      const former = this.#fresh(topic)
      this.#states.set(topic, { holds, ended: [...ended, former] })
      this.#put(late[topic], topic, former, '')
    } else if (topic === 'job' && old === undefined && ended.length > 0 && dice < 0.6) {
      const former = this.#pick(ended)
      this.#states.set(topic, { holds: [former], ended: ended.filter(one => one !== former) })
      this.#put(again, topic, former, '')
    } else if (old === undefined) {
      const begun = this.#fresh(topic)
      this.#states.set(topic, { holds: [begun], ended })
      this.#put(begins[topic], topic, begun, '')
    } else if (topic === 'taste' || topic === 'spouse' || (topic === 'job' && dice < 0.4)) {
      this.#states.set(topic, { holds: [], ended: [...ended, old] })
      if (topic === 'job') this.#leaveBoss()
      this.#put(ends[topic], topic, '', old)
    } else {
      const begun = this.#fresh(topic)
      this.#states.set(topic, { holds: [begun], ended: [...ended, old] })
      if (topic === 'job') this.#leaveBoss()
      this.#put(changes[topic], topic, begun, old)
    }
  }

  /** With a job goes its boss. */
  #leaveBoss(): void {
    const boss = this.#states.get('boss')
    if (boss) this.#states.set('boss', { holds: [], ended: [...boss.ended, ...boss.holds] })
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
    return this.#pick((this.set.names ?? POOLS)[topic].filter(one => !holds.includes(one) && !ended.includes(one)))
  }

  #pick<T>(items: readonly T[]): T {
    const item = items[Math.floor(this.random() * items.length)]
    if (item === undefined) throw new Error('a story has run out of things to tell')
    return item
  }
}
