import { DOMParser } from 'linkedom'

/** Parses a part of a Word document whose elements have been counted. */
export function parseXml(xml: string): Element {
  // The types of linkedom's own documents lack what no parser needs.
  return (new DOMParser().parseFromString(xml, 'text/xml') as unknown as Document).documentElement
}

export function childrenOf(element: Element | undefined, name: string): Element[] {
  return [...(element?.children ?? [])].filter(child => child.tagName === name)
}

export function childOf(element: Element | undefined, ...path: readonly string[]): Element | undefined {
  return path.reduce<Element | undefined>((at, name) => childrenOf(at, name)[0], element)
}

/** The value that most elements of Word's hold. */
export function settingOf(element: Element | undefined): string | undefined {
  return element?.getAttribute('w:val') ?? undefined
}

/** @returns undefined for what is no whole number, or a larger one than any document has */
export function wholeOf(value: string | undefined | null): number | undefined {
  return value && /^\d{1,9}$/.test(value) ? Number(value) : undefined
}
