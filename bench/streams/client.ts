/**
 * The client process: it orders emissions from the server, one after another, and counts what
 * arrives.
 */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { quantile } from '../harness/statistics.ts'
import { Audience } from './audience.ts'
import { variants } from './variants.ts'

interface OpenOrder {
  kind: 'open'
  variant: string
  url: string
  controlPort: number
  connections: number
}

interface FloodOrder {
  kind: 'flood'
  /** Emissions of one turn. The next turn waits until they have reached every stream. */
  burst: number
  millis: number
}

interface PaceOrder {
  kind: 'pace'
  everyMillis: number
  emissions: number
}

export type ClientOrder = OpenOrder | FloodOrder | PaceOrder | { kind: 'close' }

export interface Flood {
  deliveries: number
  millis: number
  cpuMicros: number
}

export interface Latency {
  p50Millis: number
  p99Millis: number
}

let audience: Audience
let control: Socket

async function open({ variant, url, controlPort, connections }: OpenOrder) {
  const found = variants.find(({ name }) => name === variant)
  if (!found) throw new Error(`no variant ${variant}`)
  control = connect({ host: '127.0.0.1', port: controlPort, noDelay: true })
  await once(control, 'connect')
  audience = await Audience.open(found, url, connections)
}

function askFor(emissions: number) {
  const complete = audience.expect(emissions)
  control.write(Uint8Array.of(emissions))
  return complete
}

async function flood({ burst, millis }: FloodOrder): Promise<Flood> {
  const startedCpu = process.cpuUsage()
  const startedAt = performance.now()
  let deliveries = 0
  let elapsed = 0
  while (elapsed < millis) {
    await askFor(burst)
    deliveries += burst * audience.size
    elapsed = performance.now() - startedAt
  }
  const { user, system } = process.cpuUsage(startedCpu)
  return { deliveries, millis: elapsed, cpuMicros: user + system }
}

async function pace({ everyMillis, emissions }: PaceOrder): Promise<Latency> {
  const latencies = audience.time()
  for (let sent = 0; sent < emissions; sent++) {
    await Promise.all([askFor(1), sleep(everyMillis)])
  }
  const whole = latencies.filter((micros) => !Number.isNaN(micros))
  return { p50Millis: quantile(whole, 0.5) / 1000, p99Millis: quantile(whole, 0.99) / 1000 }
}

function close() {
  audience.close()
  control.destroy()
}

async function obey(order: ClientOrder) {
  if (order.kind === 'open') return open(order)
  if (order.kind === 'flood') return flood(order)
  return order.kind === 'pace' ? pace(order) : close()
}

process.on('message', (order) => {
  // The message is of our own protocol.
  void obey(order as ClientOrder).then((answer) => process.send?.(answer ?? 'done'))
})
process.on('disconnect', () => process.exit())
