//! The graph of a grid: every cell is a node, and every cell sends messages to all cells that share a house with it.

use burn::tensor::backend::{AutodiffBackend, Backend};
use burn::tensor::{Int, Tensor, TensorData};
use ninefold::grid::Order;

/// The directed edges, sorted by the node they lead to.
///
/// Every node has equally many neighbours, so the edges into node `n` are number `n · degree` to `(n + 1) · degree − 1`,
/// and a sum over neighbours is a sum over a run of neighbouring rows.
#[derive(Clone, Debug)]
pub struct Graph<B: Backend> {
    /// The number of nodes.
    pub nodes: usize,
    /// The edges into each node, which are as many as lead out of it.
    pub degree: usize,
    /// For each edge the node it starts from.
    pub sources: Tensor<B, 1, Int>,
    /// For each node the numbers of the edges that start from it.
    pub outgoing: Tensor<B, 1, Int>,
    /// Edges may be kept as 16-bit numbers, where the device has a fast way for them.
    pub half: bool,
}

impl<B: Backend> Graph<B> {
    /// The graph of the houses of a grid.
    pub fn of(order: Order, half: bool, device: &B::Device) -> Graph<B> {
        let sources: Vec<usize> =
            order.cells().flat_map(|cell| order.peers_of(cell)).map(|peer| peer.index()).collect();
        Graph::from_sources(order.cell_count(), &sources, half, device)
    }

    /// Any graph in which every node has as many incoming as outgoing edges, the same number for all.
    pub fn from_sources(
        nodes: usize,
        sources: &[usize],
        half: bool,
        device: &B::Device,
    ) -> Graph<B> {
        let mut outgoing: Vec<usize> = (0..sources.len()).collect();
        // The sort is stable: the edges out of a node stay in the order of the nodes they lead to.
        outgoing.sort_by_key(|&edge| sources[edge]);
        let on_device = |places: &[usize]| {
            let places: Vec<i32> = places.iter().map(|&place| place as i32).collect();
            Tensor::from_data(TensorData::new(places, [sources.len()]), device)
        };
        Graph {
            nodes,
            degree: sources.len() / nodes,
            sources: on_device(sources),
            outgoing: on_device(&outgoing),
            half,
        }
    }

    /// The number of edges.
    pub fn edges(&self) -> usize {
        self.nodes * self.degree
    }
}

impl<B: AutodiffBackend> Graph<B> {
    /// The same graph for numbers without gradients.
    pub fn inner(&self) -> Graph<B::InnerBackend> {
        Graph {
            nodes: self.nodes,
            degree: self.degree,
            sources: self.sources.clone().inner(),
            outgoing: self.outgoing.clone().inner(),
            half: self.half,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::Cpu;

    #[test]
    fn a_nine_by_nine_grid_has_1_620_edges_and_each_comes_back() {
        for (order, edges) in
            [(Order::NINE, 1_620), (Order::FOUR, 16 * 7), (Order::boxes(2, 3).unwrap(), 36 * 12)]
        {
            let graph: Graph<Cpu> = Graph::of(order, false, &Default::default());
            assert_eq!(graph.edges(), edges, "{order}");
            let read =
                |places: &Tensor<Cpu, 1, Int>| places.to_data().iter::<i64>().collect::<Vec<_>>();
            let (sources, outgoing) = (read(&graph.sources), read(&graph.outgoing));
            for (place, &edge) in outgoing.iter().enumerate() {
                let node = place / graph.degree;
                assert_eq!(
                    sources[edge as usize], node as i64,
                    "edge {edge} starts from node {node}"
                );
                let target = edge as usize / graph.degree;
                let back = &sources[node * graph.degree..(node + 1) * graph.degree];
                assert!(back.contains(&(target as i64)), "what sees me is seen by me");
            }
        }
    }
}
