import Fastify from 'fastify'
import { word } from './word.ts'

const app = Fastify()
app.get('/word', () => ({ word }))
await app.listen({ port: Number(process.env.PORT), host: 'localhost' })
