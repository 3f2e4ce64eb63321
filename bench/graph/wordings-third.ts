import type { Topic, WordingSet, Wordings } from './wordings.ts'
import { THIRD_BEGINS } from './wordings-third-begins.ts'
import { THIRD_CHANGES } from './wordings-third-changes.ts'
import { THIRD_AGAIN, THIRD_ENDS, THIRD_LATE } from './wordings-third-ends.ts'

const NAMES: Readonly<Record<Topic, readonly string[]>> = {
  home: 'Tallinn Kigali Ljubljana Guadalajara Busan Rotterdam Málaga Quito Tromsø Marseille Winnipeg Dakar Medellín Freiburg Cork Penang Gdańsk Adelaide Bologna Fukuoka Antwerp Mombasa Sofia Zagreb'.split(
    ' ',
  ),
  job: [
    'Maersk',
    'Copperleaf',
    'Lumen Analytics',
    'Vestas',
    'Quillworks',
    'Mercado Libre',
    'Thales',
    'Redwood Freight',
    'Delivery Hero',
    'Banco Nación',
    'Osprey Health',
    'Blue Lantern',
    'Saffron Systems',
    'Hokkaido Marine',
    'Ericsson',
    'Tidewater Studios',
    'Kestrel Foods',
    'Infosys',
    'Pinecone Dental',
    'Ubisoft',
  ],
  spouse:
    'Kwame Beatriz Henrik Anjali Mateo Svetlana Idris Noor Callum Haruka Paolo Zofia Emeka Clara Viktor Simone'.split(
      ' ',
    ),
  boss: [
    'Laura Bianchi',
    'Karim Haddad',
    'Astrid Nyström',
    'Victor Mensah',
    'Ruth Goldberg',
    'Chen Wei',
    'Paula Ferreira',
    'Anders Holm',
    'Meera Joshi',
    'Tobias Krause',
    'Olga Petrova',
    'James Whitfield',
    'Fatou Diop',
    'Sarah Lindqvist',
  ],
  taste: [
    'ramen',
    'bouldering',
    'salsa',
    'pottery',
    'tea',
    'cycling',
    'opera',
    'cheese',
    'sailing',
    'knitting',
    'punk',
    'tennis',
    'curry',
    'poker',
  ],
  tool: 'Docker Neovim MySQL Golang Sketch Notion Terraform Obsidian Redis Kotlin Ansible Blender Elixir Jira'.split(
    ' ',
  ),
}

/**
 * A third set of words, written without a look at the rules or the other sets, in two halves: rules may be mended for mistakes
 * in the first (`third-dev`); the second (`third-held-out`) tells what they do with words that nobody mended them for. Every
 * second wording and every second name goes to either half, by its place in the list.
 */
export const THIRD_DEV_SET = half(0)
export const THIRD_HELD_OUT_SET = half(1)

function half(which: 0 | 1): WordingSet {
  const of = <T>(items: readonly T[]): T[] => items.filter((_, place) => place % 2 === which)
  const both = ({ own, other }: Wordings): Wordings => ({ own: of(own), other: of(other) })
  return {
    begins: {
      home: both(THIRD_BEGINS.home),
      job: both(THIRD_BEGINS.job),
      spouse: both(THIRD_BEGINS.spouse),
      boss: both(THIRD_BEGINS.boss),
      taste: both(THIRD_BEGINS.taste),
      tool: both(THIRD_BEGINS.tool),
    },
    changes: {
      home: both(THIRD_CHANGES.home),
      job: both(THIRD_CHANGES.job),
      boss: both(THIRD_CHANGES.boss),
      tool: both(THIRD_CHANGES.tool),
    },
    ends: { job: both(THIRD_ENDS.job), spouse: both(THIRD_ENDS.spouse), taste: both(THIRD_ENDS.taste) },
    again: both(THIRD_AGAIN),
    late: { home: both(THIRD_LATE.home), job: both(THIRD_LATE.job) },
    names: {
      home: of(NAMES.home),
      job: of(NAMES.job),
      spouse: of(NAMES.spouse),
      boss: of(NAMES.boss),
      taste: of(NAMES.taste),
      tool: of(NAMES.tool),
    },
  }
}
