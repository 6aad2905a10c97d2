import { createHash, timingSafeEqual } from 'node:crypto'
import { UnauthorizedError } from '../errors/contract.ts'
import { TextAnswer } from '../request/client.ts'
import { defineRouter, route } from '../routes/contract.ts'
import { routeTable, type TableRow } from '../routes/routes.ts'

interface Given {
  token: string
  contentType: string
  text: () => Promise<string>
}

/**
 * `GET /_ops/metrics`, for collectors that send the token. They ask the server itself, not a web
 * app.
 */
export function metricsRows({ token, contentType, text }: Given): TableRow[] {
  const expected = digest(token)
  const metrics = route
    .get('/_ops/metrics')
    .errors(UnauthorizedError)
    .describe({ summary: 'What the server counts, in the text format of Prometheus.' })
    .handler(async (c) => {
      c.raw.header('cache-control', 'no-store')
      const [, shown = ''] = /^Bearer (.*)$/i.exec(c.raw.req.header('authorization') ?? '') ?? []
      // Digests have one length, so that the time does not reveal the token's length either.
      if (!timingSafeEqual(expected, digest(shown))) throw new UnauthorizedError()
      return new TextAnswer(200, await text(), contentType)
    })
  const rows = routeTable(defineRouter({ opsMetrics: metrics }, { owns: '/_ops/' }))
  return rows.map((row) => ({ ...row, unguarded: true }))
}

function digest(text: string) {
  return createHash('sha256').update(text).digest()
}
