import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '../../testing/free-port.ts'
import { startTestRedis, type TestRedis } from '../test-redis.ts'

export type TestCluster = Awaited<ReturnType<typeof startTestCluster>>

type Node = Awaited<ReturnType<typeof startNode>>

const slots = 16_384

/** Three primaries, and a replica of the one that has the slot of `{svc}`. It takes over a second after that is gone. */
export async function startTestCluster() {
  const nodes = await Promise.all(Array.from({ length: 4 }, startNode))
  const [first, second, third, replica] = nodes as [Node, Node, Node, Node]
  const primaries = [first, second, third]
  await shareSlots(primaries)
  await meet(nodes)
  const slot = Number(await first.call('CLUSTER', 'KEYSLOT', '{svc}'))
  const owner = primaries[Math.floor((slot * primaries.length) / slots)] ?? first
  await replica.call('CLUSTER', 'REPLICATE', await idOf(owner))
  await until(async () => String(await owner.call('INFO')).includes('state=online'))
  const other = primaries.find((node) => node !== owner) ?? first
  let holder = owner

  /** Moves the slot with all that is in it, as `redis-cli --cluster reshard` does. */
  async function moveSlot() {
    const [from, to] = [await idOf(holder), await idOf(other)]
    await other.call('CLUSTER', 'SETSLOT', slot, 'IMPORTING', from)
    await holder.call('CLUSTER', 'SETSLOT', slot, 'MIGRATING', to)
    for (;;) {
      const keys = (await holder.call('CLUSTER', 'GETKEYSINSLOT', slot, 100)) as string[]
      if (keys.length === 0) break
      await holder.call('MIGRATE', '127.0.0.1', other.port, '', 0, 5000, 'KEYS', ...keys)
    }
    for (const node of [other, holder]) await node.call('CLUSTER', 'SETSLOT', slot, 'NODE', to)
    holder = other
  }

  /** Kills the primary of the slot, until its replica has taken over. */
  async function failOver() {
    await owner.kill()
    await until(async () => String(await replica.call('ROLE')).startsWith('master'))
    holder = replica
  }

  return {
    nodes,
    owner,
    other,
    replica,
    /** The first of the two is a node that has something else. */
    url: `redis+cluster://127.0.0.1:${other.port},127.0.0.1:${replica.port}`,
    moveSlot,
    failOver,
    stop: () => Promise.all(nodes.map((node) => node.stop())),
  }
}

async function startNode() {
  const busPort = await freePort()
  const server = await startTestRedis(
    '--cluster-enabled',
    'yes',
    '--cluster-port',
    String(busPort),
    '--cluster-node-timeout',
    '1000',
    '--repl-diskless-sync-delay',
    '0',
  )
  return { ...server, busPort }
}

async function shareSlots(primaries: TestRedis[]) {
  const share = slots / primaries.length
  for (const [at, node] of primaries.entries()) {
    await node.call('CLUSTER', 'SET-CONFIG-EPOCH', at + 1)
    const [from, to] = [Math.ceil(share * at), Math.ceil(share * (at + 1)) - 1]
    await node.call('CLUSTER', 'ADDSLOTSRANGE', from, to)
  }
}

async function meet(nodes: Node[]) {
  const [first, ...others] = nodes
  for (const { port, busPort } of others)
    await first?.call('CLUSTER', 'MEET', '127.0.0.1', port, busPort)
  await until(async () => {
    const facts = await Promise.all(nodes.map((node) => node.call('CLUSTER', 'INFO')))
    return facts.every((text) => /cluster_state:ok[^]*cluster_known_nodes:4/.test(String(text)))
  })
}

const idOf = async (node: TestRedis) => String(await node.call('CLUSTER', 'MYID'))

async function until(isTrue: () => Promise<boolean>) {
  while (!(await isTrue())) await wait(50)
}
