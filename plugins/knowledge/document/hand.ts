import type { Hand, Removed } from './document.ts'
import { namedIn, namingOthers, withoutMemories } from './markdown.ts'

/** Every memory that is named by hand, or of which a statement was taken out. */
export function memoriesOfHand({ remarks, sections, removed }: Hand): string[] {
  const named = [...remarks.flatMap(({ text }) => namedIn(text)), ...namedIn(sections)]
  return [...new Set([...named, ...removed.map(({ memory }) => memory)])]
}

/** Leaves the lines out that name only memories that are gone. */
export function handWithout(hand: Hand, gone: ReadonlySet<string>): Hand {
  if (gone.size === 0) return hand
  const removed = hand.removed.filter(({ memory }) => !gone.has(memory))
  return { ...rewritten(hand, line => withoutMemories(line, gone)), removed }
}

/** Has lines name other memories; those that stand for undefined are not named any more. */
export function handNaming(hand: Hand, others: ReadonlyMap<string, string | undefined>): Hand {
  if (others.size === 0) return hand
  const removed = hand.removed.flatMap(({ memory, hash }) => {
    const other = others.has(memory) ? others.get(memory) : memory
    return other === undefined ? [] : [{ memory: other, hash }]
  })
  return { ...rewritten(hand, line => namingOthers(line, others)), removed: withoutDoubles(removed) }
}

/** Every statement that was taken out once. */
export function withoutDoubles(removed: readonly Removed[]): Removed[] {
  return [...new Map(removed.map(item => [`${item.memory} ${item.hash}`, item])).values()]
}

function rewritten(hand: Hand, write: (line: string) => string | undefined): Hand {
  const lines = (markdown: string) =>
    markdown
      .split('\n')
      .flatMap(line => write(line) ?? [])
      .join('\n')
  return {
    ...hand,
    remarks: hand.remarks.flatMap(remark => {
      const text = lines(remark.text)
      return text.trim() === '' ? [] : [{ ...remark, text }]
    }),
    sections: lines(hand.sections).trim(),
  }
}
