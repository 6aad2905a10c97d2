import { served } from '../harness/served.ts'

served('')
