/** Sends small requests to a server, one after the other, in a process that does nothing else. */
import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'

const [url = '', millis = '0'] = process.argv.slice(2)
const taken: number[] = []
const end = performance.now() + Number(millis)
while (performance.now() < end) {
  const began = performance.now()
  await (await fetch(`${url}/hello`)).text()
  taken.push(performance.now() - began)
  await wait(5)
}
// The first ones open the connection.
process.send?.(taken.slice(10))
process.disconnect?.()
