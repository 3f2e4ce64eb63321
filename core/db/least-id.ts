/** Returns the least UUID of version 7 of an instant: its first 48 bits are the milliseconds since 1970 (RFC 9562, section 5.7). */
export function leastId(instant: Date): string {
  const ms = Math.max(0, instant.getTime()).toString(16).padStart(12, '0')
  return `${ms.slice(0, 8)}-${ms.slice(8)}-7000-8000-000000000000`
}
