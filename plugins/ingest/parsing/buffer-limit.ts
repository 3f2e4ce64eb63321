/**
 * Has this thread make no buffer that is larger: pdf.js unpacks a stream into one, whatever its size, and a file of a megabyte can hold a
 * gigabyte of them. Only for a thread that ends with its document.
 *
 * @param refuse is called before the code that asks for such a buffer gets a RangeError, which parsers may pass over
 */
export function limitBuffers(bytesMax: number, refuse: () => void): void {
  globalThis.Uint8Array = new Proxy(Uint8Array, {
    construct(target, args, newTarget) {
      if (typeof args[0] === 'number' && args[0] > bytesMax) {
        refuse()
        throw new RangeError(`a buffer of ${args[0]} bytes is larger than what a document may need`)
      }
      return Reflect.construct(target, args, newTarget)
    },
  })
  // It gathers what it unpacks outside of any buffer; pdf.js unpacks by itself where there is none.
  Reflect.deleteProperty(globalThis, 'DecompressionStream')
}
