import type { Layer, Priority } from '../memories/contract.ts'

/** A placeholder of a template's texts. */
export interface Variable {
  readonly name: string
  /** Applying without it is refused, unless it has a default. */
  readonly required: boolean
  readonly default: string | null
}

/** A memory that a template makes; its text, categories and the strings of its metadata may hold `{{variable}}`. */
export interface TemplateMemory {
  readonly memory: string
  readonly categories: readonly string[]
  readonly priority: Priority
  readonly metadata: Readonly<Record<string, unknown>> | null
  readonly layer: Layer
}

export interface TemplateContent {
  readonly name: string
  readonly description: string | null
  readonly variables: readonly Variable[]
  readonly memories: readonly TemplateMemory[]
}

export interface Template extends TemplateContent {
  readonly id: string
  readonly createdAt: Date
  readonly updatedAt: Date
}
