/**
 * People say this in the life stories, and are asked this: several wordings for the same event, written before any of
 * it was read by the service.
 */

export type Topic = 'home' | 'job' | 'spouse' | 'boss' | 'taste' | 'tool'

export const RELATIONS: Readonly<Record<Topic, string>> = {
  home: 'LIVES_IN',
  job: 'WORKS_AT',
  spouse: 'MARRIED_TO',
  boss: 'REPORTS_TO',
  taste: 'LIKES',
  tool: 'USES_TECHNOLOGY',
}

/** Wordings: of oneself, and of somebody called {n}. {x} is what begins, {o} what ends. */
export interface Wordings {
  readonly own: readonly string[]
  readonly other: readonly string[]
}

const HOME_FIRST: Wordings = {
  own: [
    'I live in {x}.',
    "I'm based in {x} these days.",
    'My flat is in {x}, close to the river.',
    'We have been living in {x} for three years.',
  ],
  other: ['{n} lives in {x}.', '{n} is based in {x}.', '{n} has lived in {x} for ages.'],
}
const HOME_MOVE: Wordings = {
  own: [
    'We finally moved to {x} last week.',
    'Just moved from {o} to {x}, boxes everywhere.',
    "I've relocated to {x} for good.",
    "I'm living in {x} now.",
    'I left {o} and settled in {x}.',
    "Big news: I don't live in {o} any more, I live in {x}.",
    'Actually I live in {x}, not in {o}.',
  ],
  other: [
    '{n} moved to {x} in spring.',
    '{n} moved from {o} to {x}.',
    '{n} has relocated to {x}.',
    '{n} lives in {x} now.',
    '{n} no longer lives in {o}, she lives in {x}.',
  ],
}
const HOME_LATE: Wordings = {
  own: ['From 2009 to 2012 I lived in {x}.', 'I used to live in {x} as a student.', 'I lived in {x} until 2011.'],
  other: ['{n} used to live in {x}.', 'From 2009 to 2012 {n} lived in {x}.'],
}
const JOB_FIRST: Wordings = {
  own: [
    'I work at {x} as a nurse.',
    "I'm a data engineer at {x}.",
    'I have been working for {x} since 2019.',
    '{x} hired me as a designer.',
  ],
  other: ['{n} works at {x}.', '{n} is an accountant at {x}.', '{n} works for {x} as a planner.'],
}
const JOB_CHANGE: Wordings = {
  own: [
    'I quit {o} and joined {x}.',
    'I started at {x} on Monday.',
    'New job: I work at {x} now.',
    "I've switched from {o} to {x}.",
    'Today was my first day at {x}.',
    'I left {o} for {x}.',
  ],
  other: [
    '{n} left {o} and joined {x}.',
    '{n} works for {x} now.',
    '{n} switched from {o} to {x}.',
    '{n} started a new job at {x}.',
    '{n} joined {x} last month.',
  ],
}
const JOB_END: Wordings = {
  own: [
    'I left {o} today.',
    'I got laid off from {o}.',
    'I no longer work at {o}.',
    'I quit my job at {o}.',
    "I don't work at {o} anymore.",
  ],
  other: ['{n} left {o}.', '{n} no longer works at {o}.', '{n} was laid off by {o}.', '{n} quit her job at {o}.'],
}
const JOB_AGAIN: Wordings = {
  own: ['I am back at {x}.', '{x} hired me again.', 'I returned to {x}.', 'I work at {x} again.'],
  other: ['{n} is back at {x}.', '{n} returned to {x}.', '{n} works at {x} again.'],
}
const JOB_LATE: Wordings = {
  own: ['From 2008 to 2011 I worked at {x}.', 'I used to work for {x} years ago.', 'I worked at {x} until 2013.'],
  other: ['{n} used to work at {x}.', 'From 2008 to 2011 {n} worked at {x}.'],
}
const SPOUSE_FIRST: Wordings = {
  own: [
    'I am married to {x}.',
    'My wife {x} plays the cello.',
    '{x} and I got married yesterday.',
    'My husband {x} cooks every night.',
  ],
  other: ['{n} is married to {x}.', '{n} and {x} got married.', "{n}'s husband {x} is a teacher."],
}
const SPOUSE_END: Wordings = {
  own: ['{o} and I got divorced.', 'I am divorced from {o}.', 'I am no longer married to {o}.'],
  other: ['{n} and {o} got divorced.', '{n} divorced {o}.'],
}
const BOSS_FIRST: Wordings = {
  own: ['My boss is {x}.', 'I report to {x}.', 'My manager {x} is on leave.'],
  other: ["{n}'s boss is {x}.", '{n} reports to {x}.'],
}
const BOSS_CHANGE: Wordings = {
  own: ['My new boss is {x}.', 'I report to {x} now.', 'I no longer report to {o}, my manager is {x} now.'],
  other: ["{n}'s new boss is {x}.", '{n} reports to {x} now.'],
}
const TASTE_FIRST: Wordings = {
  own: ['I love {x}.', 'I really like {x}.', 'I enjoy {x} a lot.'],
  other: ['{n} loves {x}.', '{n} really likes {x}.'],
}
const TASTE_END: Wordings = {
  own: ["I don't like {o} any more.", 'I no longer like {o}.', 'I hate {o} now.', "I can't stand {o} these days."],
  other: ["{n} doesn't like {o} anymore.", '{n} no longer likes {o}.', '{n} hates {o} now.'],
}
const TOOL_FIRST: Wordings = {
  own: ['I use {x} every day.', 'I write everything in {x}.', 'At work we use {x}.'],
  other: ['{n} uses {x}.', '{n} writes code in {x}.'],
}
const TOOL_CHANGE: Wordings = {
  own: ['I switched from {o} to {x}.', 'I stopped using {o} and use {x} now.', 'I no longer use {o}, I use {x}.'],
  other: ['{n} switched from {o} to {x}.', '{n} stopped using {o} and uses {x} now.'],
}

/** Every event in the words of one set. */
export interface WordingSet {
  readonly begins: Readonly<Record<Topic, Wordings>>
  /** One thing takes the place of another. */
  readonly changes: Readonly<Record<'home' | 'job' | 'boss' | 'tool', Wordings>>
  readonly ends: Readonly<Record<'job' | 'spouse' | 'taste', Wordings>>
  readonly again: Wordings
  /** Long ago, told late. */
  readonly late: Readonly<Record<'home' | 'job', Wordings>>
  /** Names of its own; those of `POOLS` where it has none. */
  readonly names?: Readonly<Record<Topic, readonly string[]>>
}

export const FIRST_SET: WordingSet = {
  begins: {
    home: HOME_FIRST,
    job: JOB_FIRST,
    spouse: SPOUSE_FIRST,
    boss: BOSS_FIRST,
    taste: TASTE_FIRST,
    tool: TOOL_FIRST,
  },
  changes: { home: HOME_MOVE, job: JOB_CHANGE, boss: BOSS_CHANGE, tool: TOOL_CHANGE },
  ends: { job: JOB_END, spouse: SPOUSE_END, taste: TASTE_END },
  again: JOB_AGAIN,
  late: { home: HOME_LATE, job: JOB_LATE },
}

export const POOLS: Readonly<Record<Topic, readonly string[]>> = {
  home: 'Lisbon Nairobi Kraków Montreal Osaka Hamburg Valencia Pune Bergen Lyon Toronto Accra Seoul Porto Leipzig Bogotá Dublin Hanoi'.split(
    ' ',
  ),
  job: [
    'Siemens',
    'Globex',
    'Brightwater Labs',
    'Nordea',
    'Initech',
    'Tata Steel',
    'Northwind',
    'Falcon Logistics',
    'Zalando',
    'Banco Azul',
    'Helix Robotics',
    'Green Harbor',
    'Umbra Software',
    'Kyoto Instruments',
  ],
  spouse: ['Amara', 'Tomasz', 'Ingrid', 'Rafael', 'Yuki', 'Leila', 'Marek', 'Chloé', 'Dmitri', 'Nadia'],
  boss: ['Fatima Zahra', 'Oliver Brandt', 'Priya Nair', 'Hugo Martins', 'Keiko Tanaka', 'Samuel Osei', 'Greta Lund'],
  taste: ['jazz', 'sushi', 'hiking', 'chess', 'coffee', 'gardening', 'techno', 'licorice'],
  tool: ['Python', 'Vim', 'PostgreSQL', 'Rust', 'Figma', 'TypeScript', 'Kubernetes', 'Emacs'],
}
export const PEOPLE = [
  'Marta Silva',
  'Ngozi Eze',
  'Hannah Weiss',
  'Lucía Romero',
  'Aiko Mori',
  'Elif Kaya',
  'Sofie Dahl',
  'Rosa Conti',
  'Mei Chen',
  'Zainab Khan',
]
export const CHATTER = [
  'It rained the whole weekend.',
  'The train was late again.',
  'Dinner was great, thanks for asking.',
  'I slept badly.',
  'We watched a film about bees.',
]

const QUESTIONS: Readonly<Record<Topic, { own: readonly string[]; other: readonly string[] }>> = {
  home: {
    own: ['Where do I live?', 'Which city am I living in?'],
    other: ['Where does {n} live?', 'Where is {n} living now?'],
  },
  job: {
    own: ['Where do I work?', 'Who is my employer?', 'Which company do I work for?'],
    other: ['Where does {n} work?', 'What company does {n} work for?'],
  },
  spouse: { own: ['Who am I married to?', 'Who is my spouse?'], other: ['Who is {n} married to?'] },
  boss: { own: ['Who is my boss?', 'Who do I report to?'], other: ["Who is {n}'s boss?", 'Who does {n} report to?'] },
  taste: { own: ['What do I like?', 'What do I enjoy?'], other: ['What does {n} like?'] },
  tool: {
    own: ['Which tools do I use?', 'What do I use?'],
    other: ['What does {n} use?', 'Which technologies does {n} use?'],
  },
}

export function questionOf(topic: Topic, person: string | undefined, n: number): string {
  const forms = person === undefined ? QUESTIONS[topic].own : QUESTIONS[topic].other
  return (forms[n % forms.length] ?? '').replaceAll('{n}', person ?? '')
}
