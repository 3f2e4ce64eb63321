export const PRIORITIES = [
  { value: 'LOW', title: 'Low' },
  { value: 'MEDIUM', title: 'Medium' },
  { value: 'HIGH', title: 'High' },
]

export const STATUSES = [
  { value: 'PENDING', title: 'Waiting' },
  { value: 'PROCESSING', title: 'In processing' },
  { value: 'COMPLETED', title: 'Completed' },
  { value: 'FAILED', title: 'Failed' },
]

export const LAYERS = [
  { value: 'RAW', title: 'Always' },
  { value: 'TASK', title: 'Until it expires, as a task does' },
]

export const MODES = [
  { value: '', title: 'Words and meaning' },
  { value: 'semantic', title: 'Meaning' },
  { value: 'keyword', title: 'Exact words' },
]

/** The title of a value among options; the value itself where it is none of them. */
export const titleOf = (options: readonly { value: string; title: string }[], value: string) =>
  options.find(option => option.value === value)?.title ?? value
