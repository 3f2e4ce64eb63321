import { listOf } from '../../forms.tsx'

const PLACEHOLDER = /\{\{\s*([A-Za-z_][A-Za-z0-9_]{0,63})\s*\}\}/g

let rows = 0

/** A number that no other row of a draft has, so that rows keep their place on the page. */
function nextKey() {
  rows += 1
  return rows
}

export function emptyVariable(name = '') {
  return { key: nextKey(), name, required: true, fallback: '' }
}

export function emptyMemory() {
  return { key: nextKey(), memory: '', categories: '', priority: 'MEDIUM', layer: 'RAW', metadata: '' }
}

/** @param {any} [template] as the API has it; a draft holds it as the fields of the form do */
export function draftOf(template) {
  if (template === undefined) return { name: '', description: '', variables: [], memories: [emptyMemory()] }
  const { name, description, variables, memories } = template
  return {
    name,
    description: description ?? '',
    variables: variables.map(variable => ({ ...variable, key: nextKey(), fallback: variable.default ?? '' })),
    memories: memories.map(({ memory, categories, priority, layer, metadata }) => ({
      key: nextKey(),
      memory,
      categories: wordsOf(categories),
      priority,
      layer,
      metadata: textOf(metadata),
      given: { categories, metadata },
    })),
  }
}

/** The body of a request that saves the draft. */
export function bodyOf({ name, description, variables, memories }) {
  return {
    name: name.trim(),
    description: description.trim() || null,
    variables: variables.map(variable => ({
      name: variable.name.trim(),
      required: variable.required,
      default: variable.fallback === '' ? null : variable.fallback,
    })),
    memories: memories.map((memory, n) => ({
      memory: memory.memory,
      categories: categoriesOf(memory),
      priority: memory.priority,
      layer: memory.layer,
      metadata: metadataOf(memory, n + 1),
    })),
  }
}

const wordsOf = categories => categories.join(', ')

const textOf = metadata => (metadata === null ? '' : JSON.stringify(metadata, null, 2))

/** What was not edited is sent as it was given: a category may hold a comma. */
function categoriesOf({ categories, given }) {
  return given && wordsOf(given.categories) === categories ? given.categories : listOf(categories)
}

function metadataOf({ metadata, given }, number) {
  if (given && textOf(given.metadata) === metadata) return given.metadata
  if (metadata.trim() === '') return null
  const value = parsed(metadata, number)
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw new Error(`The metadata of memory ${number} must be a JSON object, as {"source": "chat"}.`)
  }
  return value
}

function parsed(metadata, number) {
  try {
    return JSON.parse(metadata)
  } catch (error) {
    throw new Error(`The metadata of memory ${number} is not valid JSON: ${error.message}`)
  }
}

/** The names that stand between braces but are not among the variables. */
export function missingVariables({ variables, memories }) {
  const known = new Set(variables.map(({ name }) => name.trim()))
  const texts = memories.flatMap(({ memory, categories, metadata }) => [memory, categories, metadata])
  const used = texts.flatMap(text => [...text.matchAll(PLACEHOLDER)].map(([, name]) => name))
  return [...new Set(used)].filter(name => !known.has(name))
}
