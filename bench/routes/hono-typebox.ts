import { Hono } from 'hono'
import { validator } from 'hono/validator'
import { Compile } from 'typebox/compile'
import { five, serveHono } from './serve-hono.ts'
import { newUserSchema } from './workload.ts'

const newUser = Compile(newUserSchema)

const app = new Hono()
app.use(...five)
app.post(
  '/users',
  validator('json', (value, c) => {
    if (newUser.Check(value)) return value
    return c.json({ error: 'invalid' }, 422)
  }),
  (c) => {
    const user = c.req.valid('json')
    return c.json({ id: user.id, ok: true })
  },
)
serveHono(app)
