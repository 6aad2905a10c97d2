import { defineRouter, defineServer, route } from '@svc/core'
import { word } from './word.ts'

const getWord = route.get('/word').handler(() => ({ word }))

export default defineServer().routes(defineRouter({ getWord }))
