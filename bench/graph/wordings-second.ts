import type { WordingSet } from './wordings.ts'

/** The same events in other words, written after the rules had been mended for the first set; of these only the scores are looked at. */
export const SECOND_SET: WordingSet = {
  begins: {
    home: {
      own: [
        'Home is {x} for me.',
        'I rent an apartment in {x}.',
        'I reside in {x}.',
        'We live right in the centre of {x}.',
      ],
      other: ['{n} resides in {x}.', '{n} is living in {x}.', '{n}, who lives in {x}, called me.'],
    },
    job: {
      own: [
        'I am employed at {x}.',
        'I make my living at {x} as an analyst.',
        'My employer is {x}.',
        'I am a manager at {x}.',
      ],
      other: ['{n} is employed by {x}.', '{n} is a lawyer at {x}.', '{n} has a job at {x}.'],
    },
    spouse: {
      own: ['{x} is my wife.', 'I married {x} in June.', 'My spouse is {x}.'],
      other: ['{n} married {x}.', '{x} is the husband of {n}.'],
    },
    boss: {
      own: ['{x} is my boss.', 'My supervisor is {x}.', 'At work I answer to {x}.'],
      other: ['{x} is the boss of {n}.', "{n}'s manager is {x}."],
    },
    taste: {
      own: ['I adore {x}.', 'I am a big fan of {x}.', 'My favourite thing is {x}.'],
      other: ['{n} adores {x}.', '{n} is a fan of {x}.'],
    },
    tool: {
      own: ["I'm using {x} for everything.", 'My tool of choice is {x}.', 'We rely on {x}.'],
      other: ['{n} is using {x}.', '{n} relies on {x}.'],
    },
  },
  changes: {
    home: {
      own: [
        'I moved house: {x} is home now.',
        'Since May I live in {x}.',
        'Goodbye {o}, hello {x}! We moved.',
        "We're settled in {x} now.",
        'My new address is in {x}.',
      ],
      other: [
        '{n} has moved to {x}.',
        '{n} settled in {x}.',
        '{n} relocated from {o} to {x}.',
        '{n} is now based in {x}.',
      ],
    },
    job: {
      own: [
        'I got a new job at {x}.',
        'I now work for {x}.',
        'I resigned from {o} and started at {x}.',
        '{x} is my new employer.',
        'I have joined {x}.',
      ],
      other: [
        '{n} got a job at {x}.',
        '{n} now works at {x}.',
        '{n} resigned from {o} to work for {x}.',
        '{n} has joined {x}.',
      ],
    },
    boss: {
      own: ['{x} is my boss now.', 'Now I answer to {x}.', 'I got a new manager, {x}.'],
      other: ['{x} is the new boss of {n}.', '{n} now reports to {x}.'],
    },
    tool: {
      own: ['I gave up {o} and adopted {x}.', 'I replaced {o} with {x}.', 'I moved from {o} to {x}.'],
      other: ['{n} replaced {o} with {x}.', '{n} gave up {o} and uses {x} now.'],
    },
  },
  ends: {
    job: {
      own: [
        'I was let go from {o}.',
        'I resigned from {o}.',
        'I am not at {o} any more.',
        'I stopped working for {o}.',
      ],
      other: ['{n} resigned from {o}.', '{n} stopped working at {o}.', '{n} was fired from {o}.'],
    },
    spouse: {
      own: ['{o} and I separated.', 'I got divorced from {o}.', '{o} is my ex-wife.'],
      other: ['{n} is divorced from {o}.', '{n} and {o} separated.'],
    },
    taste: {
      own: ['I used to like {o}.', 'I stopped liking {o}.', 'I dislike {o} these days.'],
      other: ['{n} used to love {o}.', '{n} dislikes {o} now.'],
    },
  },
  again: {
    own: ['I rejoined {x}.', 'I am working at {x} once more.', 'I got my old job at {x} back.'],
    other: ['{n} rejoined {x}.', '{n} is working at {x} once more.'],
  },
  late: {
    home: {
      own: ['Back in 2010 I lived in {x}.', 'As a child I lived in {x}.', 'I grew up in {x}.'],
      other: ['{n} grew up in {x}.', 'Years ago {n} lived in {x}.'],
    },
    job: {
      own: ['Back in 2010 I worked at {x}.', 'My first job was at {x}.', 'I interned at {x} in 2009.'],
      other: ['Years ago {n} worked at {x}.', '{n} interned at {x} in 2009.'],
    },
  },
}
