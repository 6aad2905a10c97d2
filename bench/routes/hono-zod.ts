import { zValidator } from '@hono/zod-validator'
import { Hono } from 'hono'
import { NewUser } from './schema-zod.ts'
import { five, serveHono } from './serve-hono.ts'

const app = new Hono()
app.use(...five)
app.post('/users', zValidator('json', NewUser), (c) => {
  const user = c.req.valid('json')
  return c.json({ id: user.id, ok: true })
})
serveHono(app)
