import { openFactReader, type ReadText, type ToldText } from './index.ts'

const reader = await openFactReader()

/** Reads a text of the user `user-7`, told on 1 March 2026. */
export function factsOfText(text: string, about: Partial<Omit<ToldText, 'text'>> = {}): ReadText {
  const steps = reader.read({ text, userId: 'user-7', createdAt: new Date('2026-03-01T12:00:00Z'), ...about })
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** "ada okafor WORKS_AT northwind labs", with "-" before it where it closes and "@user" for the user. */
export function factsOf({ entities, relations }: ReadText): string[] {
  const name = (index: number) => (entities[index]?.isUser ? '@user' : (entities[index]?.name ?? '?'))
  return relations
    .map(({ type, source, target, closes }) => `${name(source)} ${closes ? '-' : ''}${type} ${name(target)}`)
    .sort()
}
