//! `compose.yaml`: the keys that it may use, and its commands, run as processes of this machine.

use super::{Running, list, ninefold, run};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Stdio};
use yaml_rust2::{Yaml, YamlLoader};

/// The keys of a service that we use, from the Compose specification.
const SERVICE_KEYS: [&str; 8] =
    ["image", "build", "command", "entrypoint", "volumes", "depends_on", "restart", "profiles"];

fn compose() -> Yaml {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = std::fs::read_to_string(root.join("compose.yaml")).unwrap();
    YamlLoader::load_from_str(&text).unwrap().remove(0)
}

/// A list of strings, in which `$$` stands for `$`.
fn strings(list: &Yaml) -> Vec<String> {
    let texts = list.as_vec().unwrap().iter();
    texts.map(|text| text.as_str().unwrap().replace("$$", "$")).collect()
}

fn keys(map: &Yaml) -> Vec<&str> {
    map.as_hash().unwrap().keys().map(|key| key.as_str().unwrap()).collect()
}

#[test]
fn uses_keys_of_the_specification_and_existing_services() {
    let compose = compose();
    assert_eq!(keys(&compose), ["services"]);
    let services = &compose["services"];
    assert_eq!(keys(services), ["scheduler", "executor", "client"]);
    for name in keys(services) {
        let service = &services[name];
        assert!(keys(service).iter().all(|key| SERVICE_KEYS.contains(key)), "{name}");
        assert_eq!(service["image"].as_str(), Some("ninefold-cluster"));
        assert!(!strings(&service["command"]).is_empty());
        for volume in strings(&service["volumes"]) {
            assert_eq!(volume, "${DATA:-./data}:/data:ro");
        }
        if !service["depends_on"].is_badvalue() {
            let others = strings(&service["depends_on"]);
            assert!(others.iter().all(|other| keys(services).contains(&other.as_str())));
        }
    }
    let build = &services["scheduler"]["build"];
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let container = root.join(build["dockerfile"].as_str().unwrap());
    let container = std::fs::read_to_string(container).unwrap();
    for argument in keys(&build["args"]) {
        assert!(container.contains(&format!("ARG {argument}=")), "{argument}");
    }
}

#[test]
fn its_commands_start_a_cluster() {
    let services = &compose()["services"];
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let address = format!("127.0.0.1:{port}");
    // Every container has the host name of its service, or its own.
    let here = |text: String| {
        let text = text.replace("scheduler:50050", &address).replace("0.0.0.0:50050", &address);
        text.replace("0.0.0.0", "127.0.0.1").replace("$(hostname)", "127.0.0.1")
    };
    let arguments = |service: &str, key: &str| -> Vec<String> {
        strings(&services[service][key]).into_iter().map(here).collect()
    };
    let mut scheduler = arguments("scheduler", "command");
    let host = scheduler.iter().position(|text| text == "--external-host").unwrap() + 1;
    assert_eq!(scheduler[host], "scheduler", "the host name of the service");
    scheduler[host] = "127.0.0.1".to_string();
    let scheduler: Vec<&str> = scheduler.iter().map(String::as_str).collect();
    let _scheduler = Running(ninefold(&scheduler).stderr(Stdio::null()).spawn().unwrap());

    let binaries = Path::new(env!("CARGO_BIN_EXE_ninefold")).parent().unwrap();
    let path = format!("{}:{}", binaries.display(), std::env::var("PATH").unwrap());
    let entrypoint = arguments("executor", "entrypoint");
    let mut executor = Command::new(&entrypoint[0]);
    executor.args(&entrypoint[1..]).args(arguments("executor", "command")).env("PATH", path);
    let executor = executor.stdin(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let _executor = Running(executor);

    let folder = tempfile::tempdir().unwrap();
    while std::net::TcpStream::connect(&address).is_err() {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let query = format!("select count(solve(puzzle)) n from '{}'", list(folder.path(), 40));
    let (rows, said, code) = run(&["sql", "--cluster", &address, "--format", "csv", &query]);
    assert_eq!((rows.as_str(), said.as_str(), code), ("n\n40\n", "", Some(0)));

    let client = arguments("client", "command");
    let client: Vec<&str> = client.iter().map(String::as_str).collect();
    let (status, said, code) = run(&client);
    assert_eq!((said.as_str(), code), ("", Some(0)));
    assert!(status.starts_with("1 executor\n  127.0.0.1:"), "{status}");
    assert!(status.contains("1 job\n") && status.contains("completed"), "{status}");
}
