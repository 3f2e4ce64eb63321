import { getResolvedPDFJS } from 'unpdf'
import type { Pdf } from './open.ts'

/** Somebody wrote this onto a page, as the value of a form's field or as a text of its own. */
export interface FilledIn {
  readonly text: string
  /** Two opposite corners, in points. */
  readonly corners: readonly [number, number, number, number]
}

/**
 * pdf.js keeps some 4 KB of each annotation, links included, until the document is closed. A manual of thousands of pages
 * with links is no form.
 */
const PAGES_MAX = 200

/** Annotations that are not shown (PDF 1.7, 12.5.3: Hidden and NoView). */
const UNSEEN = 2 | 32

/**
 * Reads by page, from 1, what was written onto a document, which is no part of its text. Passwords are left out, as is what is not shown. Of
 * a document whose annotations are damaged, or that has many pages, nothing is known.
 */
export async function filledIn(pdf: Pdf): Promise<ReadonlyMap<number, readonly FilledIn[]>> {
  const byPage = new Map<number, FilledIn[]>()
  for (const annotation of await annotationsOf(pdf)) {
    const text = (annotation.annotationFlags ?? 0) & UNSEEN ? '' : textOf(annotation).trim()
    if (!text || annotation.rect?.length !== 4 || annotation.pageIndex === undefined) continue
    const page = annotation.pageIndex + 1
    const written = byPage.get(page) ?? []
    written.push({ text, corners: annotation.rect })
    byPage.set(page, written)
  }
  return byPage
}

async function annotationsOf(pdf: Pdf): Promise<readonly Annotation[]> {
  if (pdf.numPages > PAGES_MAX) return []
  const { AnnotationType } = await getResolvedPDFJS()
  const types = new Set([AnnotationType.FREETEXT, AnnotationType.WIDGET])
  return pdf.getAnnotationsByType(types, new Set()).catch(() => [])
}

/** An annotation as pdf.js tells it, as far as it is read here. */
interface Annotation {
  readonly pageIndex?: number
  readonly subtype?: string
  readonly annotationFlags?: number
  readonly rect?: [number, number, number, number]
  readonly contentsObj?: { readonly str?: string }
  readonly fieldType?: string | null
  readonly fieldValue?: unknown
  readonly password?: boolean
  readonly checkBox?: boolean
  readonly radioButton?: boolean
  readonly exportValue?: unknown
  readonly buttonValue?: unknown
  readonly options?: readonly { readonly exportValue?: unknown; readonly displayValue?: unknown }[]
}

function textOf(annotation: Annotation): string {
  if (annotation.subtype === 'FreeText') return annotation.contentsObj?.str ?? ''
  if (annotation.subtype !== 'Widget') return ''
  if (annotation.fieldType === 'Tx') return annotation.password ? '' : wordsOf(annotation.fieldValue)
  if (annotation.fieldType === 'Ch') return chosen(annotation)
  if (annotation.checkBox) return box(annotation.fieldValue, annotation.exportValue)
  return annotation.radioButton ? box(annotation.fieldValue, annotation.buttonValue) : ''
}

function box(value: unknown, own: unknown): string {
  return value !== null && value === own ? '[x]' : '[ ]'
}

/** A choice is kept by its value, and shown by a name. */
function chosen({ fieldValue, options = [] }: Annotation): string {
  const values = Array.isArray(fieldValue) ? fieldValue : [fieldValue]
  const names = values.map(value => options.find(option => option.exportValue === value)?.displayValue ?? value)
  return names.map(wordsOf).filter(Boolean).join(', ')
}

function wordsOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
