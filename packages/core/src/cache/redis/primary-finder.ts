import { Redis, type RedisOptions } from 'ioredis'
import type { RedisAddress, RedisNode } from './address.ts'
import { reasonOf } from './explain.ts'

/** Replies have the shapes of before RESP3. */
export type ConnectionOptions = Omit<RedisOptions, 'replyMapping'>

/** Where the primary is, and which other nodes can be asked next time. */
interface Answer {
  primary: RedisNode
  others: RedisNode[]
}

type Range = [from: number, to: number, primary: Place, ...replicas: Place[]]
type Place = [host: string | null, port: number | string]

/**
 * Asks Sentinels for the primary of a name, or nodes of a Cluster for the primary of the prefix's
 * slot. It keeps asking the one that has answered, and goes to the next one if that fails.
 */
export function createFinder(address: RedisAddress, options: ConnectionOptions) {
  let known: readonly RedisNode[] = address.nodes
  let turn = 0
  let asked: Redis | null = null
  let finding: Promise<RedisNode> | null = null

  function leave() {
    asked?.disconnect()
    asked = null
    turn += 1
  }

  async function askNext() {
    const node = known[turn % known.length] ?? address.nodes[0]
    try {
      asked ??= await connect({ ...options, ...node })
      const ask = address.kind === 'sentinel' ? askSentinel : askCluster
      return await ask(asked, { address, node })
    } catch (error) {
      leave()
      throw address.kind === 'sentinel' ? ofSentinel(error) : error
    } finally {
      // Only Sentinels are asked regularly. A node that is cut off from the others would not know
      // of a failover.
      if (address.kind === 'cluster') leave()
    }
  }

  async function findInTurn() {
    let cause: unknown
    for (const _ of known) {
      try {
        const { primary, others } = await askNext()
        known = distinct([...address.nodes, ...others])
        return primary
      } catch (error) {
        cause = error
      }
    }
    throw cause
  }

  return {
    find() {
      finding ??= findInTurn().finally(() => {
        finding = null
      })
      return finding
    },
    close: leave,
  }
}

async function connect(options: ConnectionOptions) {
  const redis = new Redis({ ...options, retryStrategy: null, enableReadyCheck: false })
  let cause: unknown
  redis.on('error', (error) => {
    cause = error
  })
  try {
    await redis.connect()
    return redis
  } catch (error) {
    redis.disconnect()
    throw cause ?? error
  }
}

/** It must not be mistaken for a refusal of the primary. */
function ofSentinel(error: unknown) {
  return new Error(`sentinel: ${reasonOf(error)}`, { cause: error })
}

interface Asked {
  address: RedisAddress
  node: RedisNode
}

async function askSentinel(redis: Redis, { address }: Asked): Promise<Answer> {
  const { name } = address.sentinel
  const place = (await redis.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', name)) as Place | null
  if (!place?.[0]) throw new Error('ERR No such master with that name')
  return { primary: { host: place[0], port: Number(place[1]) }, others: [] }
}

async function askCluster(redis: Redis, { address, node }: Asked): Promise<Answer> {
  const slot = Number(await redis.call('CLUSTER', 'KEYSLOT', address.prefix))
  const ranges = (await redis.call('CLUSTER', 'SLOTS')) as Range[]
  const range = ranges.find(([from, to]) => from <= slot && slot <= to)
  if (!range) throw new Error(`CLUSTERDOWN No node has slot ${slot}`)
  // A node that does not know its own name leaves it out.
  const nodeAt = ([host, port]: Place) => ({ host: host || node.host, port: Number(port) })
  const places = ranges.flatMap(([, , ...each]) => each)
  return { primary: nodeAt(range[2]), others: places.map(nodeAt) }
}

function distinct(nodes: RedisNode[]) {
  return [...new Map(nodes.map((node) => [`${node.host}:${node.port}`, node])).values()]
}
