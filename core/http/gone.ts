type SignalOf = () => AbortSignal

const signals = new WeakMap<Request, SignalOf>()

/** Notes how to learn that a request's client went away, where `request.signal` does not say just that. */
export function setGoneSignal(request: Request, signalOf: SignalOf): void {
  signals.set(request, signalOf)
}

/** Aborts when the client goes away before it has the whole response. */
export function goneSignal(request: Request): AbortSignal {
  return signals.get(request)?.() ?? request.signal
}
