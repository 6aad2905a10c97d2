/**
 * Sends signed requests at a steady rate, even if the earlier ones have no answer yet, until it is
 * told to stop.
 */
import { Agent, get } from 'node:http'

export interface ReadsOrder {
  url: string
  each: Record<string, string>[]
  perSecond: number
}

export interface Read {
  sentAt: number
  millis: number
  ok: boolean
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 })

function read(url: string, headers: Record<string, string> | undefined) {
  const sentAt = Date.now()
  const startedAt = performance.now()
  return new Promise<Read>((resolve) => {
    const settle = (ok: boolean) => resolve({ sentAt, millis: performance.now() - startedAt, ok })
    get(url, { agent, headers }, (response) => {
      response.resume()
      response.on('end', () => settle(response.statusCode === 200))
    }).on('error', () => settle(false))
  })
}

function readSteadily({ url, each, perSecond }: ReadsOrder) {
  const reads: Promise<Read>[] = []
  const startedAt = performance.now()
  const timer = setInterval(() => {
    const due = ((performance.now() - startedAt) * perSecond) / 1000
    while (reads.length < due) reads.push(read(`${url}/me`, each[reads.length % each.length]))
  }, 1)
  return async () => {
    clearInterval(timer)
    return await Promise.all(reads)
  }
}

let stop: (() => Promise<Read[]>) | undefined
process.on('message', (message) => {
  // A message of our own protocol: an order, then a word to stop.
  if (stop) void stop().then((reads) => process.send?.(reads))
  else stop = readSteadily(message as ReadsOrder)
})
process.on('disconnect', () => process.exit())
