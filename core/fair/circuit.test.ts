import { describe, expect, test } from 'bun:test'
import { Circuit } from './circuit.ts'

function clockedCircuit() {
  const clock = { now: 1_000 }
  return { clock, circuit: new Circuit({ now: () => clock.now }) }
}

describe('a circuit', () => {
  test('opens after three failures in a row, and a success in between starts the count again', () => {
    const { circuit } = clockedCircuit()
    circuit.failed()
    circuit.failed()
    circuit.succeeded()
    expect([circuit.failed(), circuit.failed(), circuit.waitMs()]).toEqual([undefined, undefined, 0])
    expect(circuit.failed()).toBe(15_000)
    expect(circuit.waitMs()).toBe(15_000)
  })

  test('lets one probe through after the pause, and waits longer each time it fails', () => {
    const { circuit, clock } = clockedCircuit()
    for (let i = 0; i < 3; i++) circuit.failed()
    const pauses = Array.from({ length: 7 }, () => {
      clock.now += circuit.waitMs()
      circuit.enter()
      expect(circuit.waitMs()).toBeGreaterThan(0)
      return circuit.failed()
    })
    expect(pauses).toEqual([30_000, 60_000, 120_000, 240_000, 300_000, 300_000, 300_000])
    clock.now += circuit.waitMs()
    circuit.enter()
    expect(circuit.succeeded()).toBe(true)
    expect(circuit.waitMs()).toBe(0)
    expect(circuit.succeeded()).toBe(false)
  })

  test('does not wait for a probe that is never heard of again', () => {
    const { circuit, clock } = clockedCircuit()
    for (let i = 0; i < 3; i++) circuit.failed()
    clock.now += circuit.waitMs()
    circuit.enter()
    clock.now += circuit.waitMs()
    expect(circuit.waitMs()).toBe(0)
  })

  test('opens at once for as long as the provider asks, within bounds', () => {
    const { circuit } = clockedCircuit()
    expect(circuit.failed(7_000)).toBe(7_000)
    expect(circuit.failed(10_000_000)).toBe(300_000)
  })
})

test('a circuit of other bounds says by itself whether to call', () => {
  const clock = { now: 0 }
  const circuit = new Circuit({ failuresMax: 1, pauseMs: 500, pauseMaxMs: 800, now: () => clock.now })
  expect([circuit.attempt(), circuit.failed(), circuit.attempt()]).toEqual([true, 500, false])
  clock.now = 500
  expect([circuit.attempt(), circuit.attempt(), circuit.failed()]).toEqual([true, false, 800])
})
