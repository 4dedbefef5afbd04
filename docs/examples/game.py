"""A small living world for dcsim-mirror, with the standard library alone: a template for a game or a mod.

    python3 game.py 9741          serves it at http://127.0.0.1:9741
    python3 game.py world.json    writes it into a file, once a second
"""
import json
import math
import os
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

HOUR = 3600
SPEED = 60  # simulated seconds per second
RACKS = [1, 2, 3]
HOSTS_PER_RACK = 6
HOSTS = range(1, 1 + len(RACKS) * HOSTS_PER_RACK)
CUSTOMERS = ["Acorn Bakery", "Bluebell Books", "Copper Kettle", "Dormouse Games", "Elder Law", "Fern Clinic"]
STARTED = time.monotonic()


def ns(seconds):
    return round(seconds * 1_000_000_000)


def rack_of(host):
    return 1 + (host - 1) // HOSTS_PER_RACK


def incident(number):
    """Every two hours something breaks for one: a whole rack, and the next time a single host."""
    rack = RACKS[number % len(RACKS)]
    hosts = [host for host in HOSTS if rack_of(host) == rack]
    is_rack = number % 2 == 0
    return {
        "id": number,
        "band": "Critical" if is_rack else "Minor",  # Watch, Minor, Major or Critical
        "symptom_kind": "PowerLost" if is_rack else "HostDown",
        "symptom_msg_key": "{name} has no power." if is_rack else "Host {name} does not answer.",
        "symptom_msg_args": [{"key": "name", "text": f"Rack {rack}" if is_rack else f"r{rack}-1"}],
        "started_at_ns": ns((2 * number + 1.25) * HOUR),
        "rack_id": rack,
        "affected_host_ids": hosts if is_rack else hosts[:1],
        "affected_customer_ids": [rack, rack + len(RACKS)] if is_rack else [rack],
        "revenue_at_risk_per_hour_dollars": 40 if is_rack else 20,
    }


def world():
    """The world at this moment: the number of this state, its clock, and each list by its route."""
    seconds = int(time.monotonic() - STARTED)
    now = 9 * HOUR + (10 + seconds) * SPEED
    latest = incident(int((now / HOUR - 1.25) // 2))
    incidents = [latest] if now < latest["started_at_ns"] / 1e9 + HOUR else []
    down = [host for one in incidents for host in one["affected_host_ids"]]
    hit = [customer for one in incidents for customer in one["affected_customer_ids"]]
    day = 0.5 - 0.5 * math.cos(now / (24 * HOUR) * 2 * math.pi)  # 0 at midnight, 1 at noon
    return {
        "publish_seq": 1 + seconds,
        "sim_time_ns": ns(now),
        "azs": [{"id": 1, "name": "Server room", "status": "Degraded" if incidents else "Healthy"}],
        "hosts": [{
            "id": host, "display_name": f"r{rack_of(host)}-{1 + (host - 1) % HOSTS_PER_RACK}",
            "az_id": 1, "rack_id": rack_of(host), "start_u": 1 + 2 * ((host - 1) % HOSTS_PER_RACK), "u_size": 2,
            "online": host not in down,
        } for host in HOSTS],
        "customers": [{
            "id": customer, "name": name, "tier": ["Bronze", "Silver", "Gold"][(customer - 1) % 3],
            "rps": 20 + 100 * day * customer, "failed_last_hour": 9000 if customer in hit else 0,
            "satisfaction": 0.5 if customer in hit else 0.9, "revenue_last_hour_dollars": 20,
            "sla_period_availability_frac": 0.997 if customer in hit else 0.9998,
        } for customer, name in enumerate(CUSTOMERS, 1)],
        "incidents": incidents,
        "events": [{"at_ns": latest["started_at_ns"], "severity": "Error", "msg_key": f"Incident {latest['id']} began."}],
    }


class Routes(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"  # Connections are kept for the next request.

    def do_GET(self):
        state = world()
        path = self.path.split("?")[0]
        meta = {"publish_seq": state["publish_seq"], "sim_time_ns": state["sim_time_ns"]}
        items = state.get(path.removeprefix("/api/v1/"))
        if path == "/health":
            body = meta
        elif isinstance(items, list):  # of more than 1,000 records, those from the offset on that is asked for
            body = {"meta": meta, "items": items, "total": len(items), "offset": 0, "count": len(items)}
        else:
            return self.send_error(404)
        text = json.dumps(body).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    target = sys.argv[1] if len(sys.argv) > 1 else "9741"
    if target.isdigit():
        print(f"The world is at http://127.0.0.1:{target}", flush=True)
        ThreadingHTTPServer(("127.0.0.1", int(target)), Routes).serve_forever()
    print(f"The world is in {target}", flush=True)
    while True:  # Never half a world: it is written beside the file, and renamed.
        with open(target + ".new", "w") as file:
            json.dump(world(), file)
        os.replace(target + ".new", target)
        time.sleep(1)
