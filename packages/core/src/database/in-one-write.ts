import type { PoolClient, QueryConfig, QueryResult } from 'pg'

/**
 * Sends all of them in one write, because a write costs more than the rows. A failure is thrown
 * once all have been answered.
 */
export async function inOneWrite(
  client: PoolClient,
  statements: readonly QueryConfig[],
): Promise<QueryResult[]> {
  // The same as the client's option `pipeline`. The option would be for the client's whole life,
  // and refuse cursors.
  const sending: { pipeline: boolean } = client
  const { stream } = client.connection
  sending.pipeline = true
  try {
    stream.cork()
    const sent = statements.map((each) => client.query(each))
    stream.uncork()
    // When the connection goes back to the pool, no answer may be outstanding.
    await Promise.allSettled(sent)
    return await Promise.all(sent)
  } finally {
    sending.pipeline = false
  }
}
