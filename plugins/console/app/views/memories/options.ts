export const PRIORITIES = { LOW: 'Low', MEDIUM: 'Medium', HIGH: 'High' }
export const STATUSES = { PENDING: 'Waiting', PROCESSING: 'In processing', COMPLETED: 'Completed', FAILED: 'Failed' }
export const LAYERS = { RAW: 'Always', TASK: 'Until it expires, as a task does' }
export const MODES = { '': 'Words and meaning', semantic: 'Meaning', keyword: 'Exact words' }

/** The title of a value among options; the value itself where it is none of them. */
export const titleOf = (options: Readonly<Record<string, string>>, value: string) => options[value] ?? value
