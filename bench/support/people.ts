import type { Priority } from '../../plugins/memories/contract.ts'

/** A number from 0 to 1 at each call, the same for the same seed (mulberry32). */
export function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** A note about the state of something, of which there are several. */
export interface Note {
  readonly subject: string
  readonly text: string
  readonly ageDays: number
  readonly priority: Priority
}

/** A person asking about a subject looks for the note with the most of it. */
export interface Person {
  readonly name: string
  /** The report says so what the balance should do. */
  readonly expected: string
  value(note: Note, random: () => number): number
  /** Share of signals that say what was not meant. */
  readonly slips: number
}

const RANK: Readonly<Record<Priority, number>> = { LOW: 0, MEDIUM: 1, HIGH: 2 }

export const PEOPLE: readonly Person[] = [
  { name: 'wants the newest', expected: 'recency up', slips: 0.15, value: note => -note.ageDays },
  {
    name: 'wants what is marked as important',
    expected: 'priority up',
    slips: 0.15,
    value: (note, random) => RANK[note.priority] + random() * 0.5,
  },
  { name: 'wants the oldest', expected: 'recency down', slips: 0.15, value: note => note.ageDays },
  { name: 'likes whatever comes', expected: 'no change', slips: 0, value: (_, random) => random() },
]

const SUBJECTS =
  `Falcon Heron Osprey Kestrel Plover Curlew Bittern Merlin Avocet Dunlin Godwit Lapwing Siskin Linnet Fieldfare Redwing
  Wheatear Whinchat Dipper Goldcrest Nuthatch Treecreeper Brambling Crossbill Hawfinch Bullfinch Yellowhammer Corncrake Nightjar Swift
  Martin Hoopoe Bee-eater Kingfisher Woodlark Skylark Pipit Wagtail Waxwing Dunnock Nightingale Bluethroat Ouzel Mistle Grebe Gannet
  Fulmar Shearwater Petrel Cormorant Egret Spoonbill Shelduck Wigeon Gadwall Teal Pintail Garganey Shoveler Pochard`.split(
    /\s+/,
  )

const OPENINGS = [
  'Status of',
  'Where we are with',
  'Weekly round, project',
  'From the meeting on',
  'Short update on project',
  'Asked the team about the state of',
]
const STATES = [
  'on hold until the supplier answers',
  'the second test failed and is repeated next week',
  'all milestones reached, the release is planned',
  'two people are ill, so the date moves by a fortnight',
  'budget approved, work goes on as planned',
  'the customer wants another round of changes before they sign',
  'stopped, nobody is assigned at the moment',
  'finished apart from the documentation, which the new colleague writes',
]
const ENDINGS = [
  '',
  ' Nothing else to report.',
  ' More in the minutes.',
  ' Please tell the others, also those who were away.',
]

const QUESTIONS = ['What is the status of', 'How far is', 'What is the state of project', 'How is it going with']

/** Several notes on each subject, of different length, age and priority. */
export function notesOf(seed: number): Note[] {
  const random = generator(seed)
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T
  return SUBJECTS.flatMap(subject =>
    Array.from({ length: 5 }, () => ({
      subject,
      text: `${pick(OPENINGS)} ${subject}: ${pick(STATES)}.${pick(ENDINGS)} (${Math.floor(random() * 1e6)})`,
      ageDays: Math.floor(1 + random() ** 2 * 240),
      priority: pick(['LOW', 'MEDIUM', 'HIGH'] as const),
    })),
  )
}

export function questionAbout(subject: string, n: number): string {
  return `${QUESTIONS[n % QUESTIONS.length]} ${subject}?`
}

export const subjects: readonly string[] = SUBJECTS

/** The same question as somebody else would put it, or the same person in a hurry. */
export function reworded(question: string, n: number): string {
  const bare = question.replace(/[?.!]+$/, '')
  const hurried = bare.replace(
    /\b(what|which|who|where|when|why|how|is|are|was|were|does|do|did|the|a|an|of|for|to|in|on|at|we|i|it|there)\b\s*/gi,
    '',
  )
  const forms = [`Can you tell me: ${bare.charAt(0).toLowerCase()}${bare.slice(1)}?`, hurried, `${bare}, please?`]
  return forms[n % forms.length] ?? question
}
