export const KB = 1024
export const MB = 1024 * KB
export const GB = 1024 * MB

/** Writes `16 MB`; sizes are powers of 1,024. */
export function sizeText(bytes: number): string {
  if (bytes >= GB) return `${round(bytes / GB)} GB`
  if (bytes >= MB) return `${round(bytes / MB)} MB`
  return bytes >= KB ? `${round(bytes / KB)} KB` : `${bytes} bytes`
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
