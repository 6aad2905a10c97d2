import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { word } from './word.ts'

const app = new Hono()
app.get('/word', (c) => c.json({ word }))
serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: 'localhost' })
