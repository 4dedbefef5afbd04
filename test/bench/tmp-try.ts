(globalThis as any).bypass = process.env.BYPASS === "1"
import { createServer } from 'node:http'
import { LoadClient } from '/work/main/test/bench/load-client.ts'
import { LiteralService, smallWorld } from '/work/main/test/http/literal-service.ts'
import { busyHost } from '/work/main/test/host-records.ts'
const world = smallWorld()
;(world.collections as any).hosts = Array.from({length: Number(process.argv[3] ?? 10000)}, (_, i) => busyHost(i+1))
const s = await LiteralService.start({ world, cadenceMs: 3600000 })
const rec = await s.get('/api/v1/hosts/5'); const page = await s.get('/api/v1/hosts?limit=1000')
console.log(rec.bytes.length, page.bytes.length)
const bareBuf = (b: Buffer) => { const h = createServer((q, r) => { r.writeHead(200, {'content-type':'application/json','content-length': b.length}); r.end(b) }); return new Promise<number>(res => h.listen(0,'127.0.0.1',()=>res((h.address() as any).port))) }
const bare304 = () => { const h = createServer((q, r) => { r.writeHead(304); r.end() }); return new Promise<number>(res => h.listen(0,'127.0.0.1',()=>res((h.address() as any).port))) }
const client = new LoadClient()
const small = rec.bytes.subarray(0, 2048)
const ports = { rec: await bareBuf(rec.bytes), page: await bareBuf(page.bytes), n: await bare304() }
const req = (p: string, h='') => `GET ${p} HTTP/1.1\r\nHost: localhost\r\n${h}\r\n`
const rows: [string, {port:number, request:string}, {port:number,request:string}, number, 'responses'|'bytes'][] = [
 ['record', {port:s.port, request:req('/api/v1/hosts/5')}, {port:ports.rec, request:req('/api/v1/hosts/5')}, 32, 'responses'],
 ['304', {port:s.port, request:req('/api/v1/hosts/5', `If-None-Match: ${rec.headers.etag}\r\n`)}, {port:ports.n, request:req('/api/v1/hosts/5', `If-None-Match: ${rec.headers.etag}\r\n`)}, 32, 'responses'],
 ['page', {port:s.port, request:req('/api/v1/hosts?limit=1000')}, {port:ports.page, request:req('/api/v1/hosts?limit=1000')}, 4, 'bytes'],
]
const med = (a: number[]) => a.toSorted((x,y)=>x-y)[a.length>>1]
const only = process.argv[2]
for (const [name, a, b, connections, what] of rows) {
  if (only && name !== only) continue
  const r: number[] = [], A: number[]=[], B: number[]=[]
  for (let i = 0; i < 13; i++) {
    const x = await client.run({...a, connections, durationMs: 300}); const y = await client.run({...b, connections, durationMs: 300})
    if (i < 2) continue
    A.push(x[what]/x.seconds); B.push(y[what]/y.seconds); r.push(A.at(-1)!/B.at(-1)!)
  }
  console.log(name, 'ours', Math.round(med(A)), 'bare', Math.round(med(B)), 'ratio', med(r).toFixed(3))
}
client.close(); await s.stop(); process.exit(0)
