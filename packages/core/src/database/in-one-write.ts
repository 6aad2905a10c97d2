import type { PoolClient, QueryConfig, QueryResult } from 'pg'

/** All leave in one write, since a write costs more than the rows. What fails is thrown once all have been answered. */
export async function inOneWrite(
  client: PoolClient,
  statements: readonly QueryConfig[],
): Promise<QueryResult[]> {
  // What `pipeline` of the client's options sets: for all of its life, which would refuse cursors.
  const sending: { pipeline: boolean } = client
  const { stream } = client.connection
  sending.pipeline = true
  try {
    stream.cork()
    const sent = statements.map((each) => client.query(each))
    stream.uncork()
    // Nothing may be on its way any more when the connection goes back.
    await Promise.allSettled(sent)
    return await Promise.all(sent)
  } finally {
    sending.pipeline = false
  }
}
