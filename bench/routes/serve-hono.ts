import { serve } from '@hono/node-server'
import type { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { served } from '../harness/served.ts'

export interface Scope {
  Variables: {
    m1: string | undefined
    m2: string | undefined
    m3: string | undefined
    m4: number
    m5: number
  }
}

/** The five middlewares, as in Hono's documentation. */
export const five = [
  createMiddleware<Scope>(async (c, next) => {
    c.set('m1', c.req.header('x-one'))
    await next()
  }),
  createMiddleware<Scope>(async (c, next) => {
    c.set('m2', c.req.header('x-two'))
    await next()
  }),
  createMiddleware<Scope>(async (c, next) => {
    c.set('m3', c.req.header('x-three'))
    await next()
  }),
  createMiddleware<Scope>(async (c, next) => {
    c.set('m4', 4)
    await next()
  }),
  createMiddleware<Scope>(async (c, next) => {
    c.set('m5', 5)
    await next()
  }),
] as const

export function serveHono(app: Pick<Hono, 'fetch'>) {
  serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) =>
    served(`http://127.0.0.1:${port}`),
  )
}
