//! Models: the systems that can be watched, and the networks.

use crate::networks::Networks;
use crate::server::AppState;
use axum::Json;
use axum::extract::State;
use ninefold::grid::Order;
use ninefold_api::watch::{solver_entry, systems};
use ninefold_neural::inference::decoding::Decoding;
use ninefold_neural::models::hopfield::Hopfield;
use ninefold_neural::registry::{self, ModelEntry};
use serde_json::{Value, json};

/// Answers `GET /api/models`.
pub async fn answer(State(state): State<AppState>) -> Json<Value> {
    let (logic, searches) = systems();
    let hopfield = Hopfield::ALL.iter().map(|system| solver_entry(system, "hopfield", true));
    let networks = registry::solvers().map(|entry| network(entry, &state.networks));
    let models: Vec<Value> =
        [logic].into_iter().chain(hopfield).chain(networks).chain(searches).collect();
    Json(json!({ "models": models }))
}

fn network(entry: &ModelEntry, networks: &Networks) -> Value {
    let network = networks.by_name(entry.name);
    let shape = |order: Order| format!("{}x{}", order.box_rows(), order.box_columns());
    let fills = match entry.decoding() {
        Decoding::AtOnce => "at once",
        Decoding::CellByCell => "cell by cell",
    };
    json!({
        "name": entry.name,
        "kind": "network",
        "idea": format!("a network that fills {fills} ({})", entry.authors),
        "boxes": network.as_ref().filter(|_| !entry.for_all_sizes).map(|network| shape(network.order)),
        "ready": network.is_some(),
        "paper": entry.authors,
        "parameters": entry.parameters,
        "fills": fills,
        "weights": network.map(|network| network.weights()),
    })
}
