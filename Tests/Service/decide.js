import { connect } from "./client.js";

const [address, token] = process.argv.slice(2);
const order = connect(address, { token }).session("order-17");
const seen = await order.read();
await order.send(seen.rendering.approve, { if: seen });
await new Promise((done) => order.follow(({ rendering }) => rendering.status === "paid" && done()));
console.log((await order.read()).rendering);
process.exit();
